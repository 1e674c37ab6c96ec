import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

interface ButtonProps {
  children: ComponentChildren
  onClick?: () => void
  /** `primary`: the main action of a page. `danger`: deletes something. */
  look?: 'primary' | 'danger' | 'plain'
  type?: 'button' | 'submit'
  icon?: IconName
  disabled?: boolean
  /** While an action runs. The button keeps its focus, and does nothing. */
  busy?: boolean
  label?: string
}

export function Button({ children, onClick, look, type = 'button', icon, disabled, busy = false, label }: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${look ?? ''}`}
      disabled={disabled}
      aria-disabled={busy}
      aria-label={label}
      onClick={busy ? undefined : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface FieldProps {
  label: string
  /** What to enter, or what the value does. */
  hint?: ComponentChildren
  children: (attributes: { id: string; 'aria-describedby': string | undefined }) => ComponentChildren
}

/** A labelled form control with a hint. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: ComponentChildren
  placeholder?: string
  type?: 'text' | 'url' | 'search' | 'password' | 'datetime-local' | 'number'
  required?: boolean
  /** More than one row makes a multi-line field. */
  rows?: number
  autocomplete?: string
}

export function TextField({ label, value, onInput, hint, rows = 1, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) =>
        rows > 1 ? (
          <textarea
            {...attributes}
            rows={rows}
            value={value}
            placeholder={rest.placeholder}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <input
            {...attributes}
            {...rest}
            type={type as 'text'}
            value={value}
            spellcheck={type === 'text'}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
  hint?: ComponentChildren
}

export function Select<Value extends string>({ label, value, options, onChange, hint }: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckboxProps {
  label: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: string
}

export function Checkbox({ label, checked, onChange, hint }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <span class="hint">{hint}</span>}
      </span>
    </label>
  )
}

interface FilterProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [Value, string, number?])[]
  onChange: (value: Value) => void
}

/** A row of choices of which one applies, with counts. */
export function Filter<Value extends string>({ label, value, options, onChange }: FilterProps<Value>) {
  return (
    <div class="filter" role="group" aria-label={label}>
      {options.map(([each, text, count]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  )
}

/** A search box that reports its text when the person stops typing. */
export function SearchBox({ label, value, onSearch }: { label: string; value: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState(value)
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value
          setText(next)
          clearTimeout(timer)
          setTimer(setTimeout(() => onSearch(next.trim()), 300))
        }}
      />
    </div>
  )
}

interface DropZoneProps {
  label: string
  hint: string
  accept: string
  onFiles: (files: File[]) => void
}

/** Receives files by dragging, or by the file dialog for keyboards and touch screens. */
export function DropZone({ label, hint, accept, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  return (
    <div
      class={`drop-zone ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length > 0) onFiles(files)
      }}
    >
      <Icon name="upload" />
      <label for={id}>{label}</label>
      <span class="hint">{hint}</span>
      <input
        id={id}
        type="file"
        accept={accept}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </div>
  )
}
