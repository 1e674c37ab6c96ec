import { forbiddenIn } from '../rules/forbidden-content.ts'
import { foldedWords } from '../rules/words.ts'
import { SYSTEM_PROMPT } from './prompt.ts'
import { normalize } from '../../../lib/normalize.ts'

/**
 * Control, formatting, private-use and unassigned characters, line and paragraph separators, and
 * every space except U+0020. Some scripts need a joiner between letters.
 */
const INVISIBLE = new RegExp(
  [
    '(?![\\u200C\\u200D])\\p{C}',
    '[\\p{Zl}\\p{Zp}]',
    '(?! )\\p{Zs}',
    '(?<!\\p{L}\\p{M}{0,20})[\\u200C\\u200D]',
    '[\\u115F\\u1160\\u3164\\uFFA0\\u2800]'
  ].join('|'),
  'u'
)
/** Tags, entities, Markdown, templates, JSON, code. */
const MARKUP = /[<>{}`\\^~[\]]|&(?:#|\w+;)|\*\*|__|^\s*(?:#|>|[-*] )|^["'“”«].*["'“”»]$/u
/** Phrases of models that decline or comment on their task, and of injected instructions. */
const META_TALK = new RegExp(
  [
    '\\bas an? (?:ai|language model|assistant)\\b',
    '\\b(?:language|ai) model\\b',
    "\\bi(?:'m| am)? (?:sorry|unable|cannot|can't|apologi[sz]e)",
    "\\bi (?:cannot|can't|can not|won't)\\b",
    '\\b(?:sure|certainly|of course)[,!]',
    "\\bhere(?:'s| is| are) (?:the|your|a|an)\\b",
    '\\b(?:meta|page)[ _](?:title|description)\\b',
    '\\bsystem prompt\\b',
    '\\b(?:previous|above|prior) (?:instructions|prompt)',
    '\\bignore (?:all|any|the|previous)\\b',
    '\\bjson\\b',
    '\\bes tut mir leid\\b',
    '\\bje suis désolé',
    '\\blo siento\\b',
    '\\blorem ipsum\\b',
    '\\b(?:undefined|null|nan|n/a|tbd|todo)\\b',
    '申し訳',
    '抱歉',
    '对不起',
    '죄송'
  ].join('|'),
  'iu'
)
const ECHO_WORDS = 6
const PROMPT_WORDS = ` ${foldedWords(SYSTEM_PROMPT)} `

/**
 * Whether a text is a single line of plain text in NFC, without hidden characters, markup,
 * addresses, telephone numbers, emoji, prices and comments on the task.
 */
export function isReadable(text: string): boolean {
  return (
    text.isWellFormed() &&
    text === normalize(text, 'NFC') &&
    text === text.trim() &&
    !/ {2}/.test(text) &&
    !INVISIBLE.test(text) &&
    !MARKUP.test(text) &&
    forbiddenIn(text).length === 0 &&
    !META_TALK.test(text) &&
    !echoesPrompt(text)
  )
}

function echoesPrompt(text: string): boolean {
  const words = foldedWords(text).split(' ')
  return words.some(
    (_, i) => i + ECHO_WORDS <= words.length && PROMPT_WORDS.includes(` ${words.slice(i, i + ECHO_WORDS).join(' ')} `)
  )
}
