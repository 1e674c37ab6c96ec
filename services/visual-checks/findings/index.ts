import { axeArticle } from './axe-article.ts'
import { blogCssNotApplied } from './blog-css-not-applied.ts'
import { blogCssPartlyOverridden } from './blog-css-partly-overridden.ts'
import { canonicalElsewhere } from './canonical-elsewhere.ts'
import { canonicalInvalid } from './canonical-invalid.ts'
import { canonicalMissing } from './canonical-missing.ts'
import { columnTooNarrow } from './column-too-narrow.ts'
import { contentChanged } from './content-changed.ts'
import { contentDuplicated } from './content-duplicated.ts'
import { contentIncomplete } from './content-incomplete.ts'
import { contentMissing } from './content-missing.ts'
import { contentMixed } from './content-mixed.ts'
import { contentReordered } from './content-reordered.ts'
import { contentTruncated } from './content-truncated.ts'
import { dialogShown } from './dialog-shown.ts'
import { endlessLoading } from './endless-loading.ts'
import { escapedEntities } from './escaped-entities.ts'
import { escapedHtml } from './escaped-html.ts'
import { fontBlocksText } from './font-blocks-text.ts'
import { fontTooSmall } from './font-too-small.ts'
import { h1Duplicate } from './h1-duplicate.ts'
import { h1Missing } from './h1-missing.ts'
import { headlineMismatch } from './headline-mismatch.ts'
import { headlineMissing } from './headline-missing.ts'
import { horizontalOverflow } from './horizontal-overflow.ts'
import { httpError } from './http-error.ts'
import { imageBroken } from './image-broken.ts'
import { imageDistorted } from './image-distorted.ts'
import { imageForeign } from './image-foreign.ts'
import { imageInvisible } from './image-invisible.ts'
import { imageMissing } from './image-missing.ts'
import { imageNotLoaded } from './image-not-loaded.ts'
import { jsError } from './js-error.ts'
import { jsonldInvalid } from './jsonld-invalid.ts'
import { jsonldMismatch } from './jsonld-mismatch.ts'
import { jsonldMissing } from './jsonld-missing.ts'
import { langMismatch } from './lang-mismatch.ts'
import { langMissing } from './lang-missing.ts'
import { layoutShift } from './layout-shift.ts'
import { letterSpacing } from './letter-spacing.ts'
import { lineHeightTight } from './line-height-tight.ts'
import { lineTooLong } from './line-too-long.ts'
import { loginWall } from './login-wall.ts'
import { lowContrast } from './low-contrast.ts'
import { metaDescriptionDuplicate } from './meta-description-duplicate.ts'
import { metaDescriptionMismatch } from './meta-description-mismatch.ts'
import { metaDescriptionMissing } from './meta-description-missing.ts'
import { mojibake } from './mojibake.ts'
import { noMobileViewport } from './no-mobile-viewport.ts'
import { noindex } from './noindex.ts'
import { ogImageBroken } from './og-image-broken.ts'
import { ogImageMissing } from './og-image-missing.ts'
import { ogTitleMismatch } from './og-title-mismatch.ts'
import { ogTitleMissing } from './og-title-missing.ts'
import { pageOverflowOutsideArticle } from './page-overflow-outside-article.ts'
import { placeholderText } from './placeholder-text.ts'
import { redirectedAway } from './redirected-away.ts'
import { resourceFailed } from './resource-failed.ts'
import { slowRender } from './slow-render.ts'
import { slowResponse } from './slow-response.ts'
import { soft404 } from './soft-404.ts'
import { stylesheetFailed } from './stylesheet-failed.ts'
import { textClipped } from './text-clipped.ts'
import { textCovered } from './text-covered.ts'
import { textCutOff } from './text-cut-off.ts'
import { textDirection } from './text-direction.ts'
import { textHidden } from './text-hidden.ts'
import { textInvisibleColor } from './text-invisible-color.ts'
import { textOffscreen } from './text-offscreen.ts'
import { textOverlap } from './text-overlap.ts'
import { textRotated } from './text-rotated.ts'
import { textScaled } from './text-scaled.ts'
import { textShrunk } from './text-shrunk.ts'
import { textTransparent } from './text-transparent.ts'
import { thirdPartyFailed } from './third-party-failed.ts'
import { titleDuplicate } from './title-duplicate.ts'
import { titleMismatch } from './title-mismatch.ts'
import { titleMissing } from './title-missing.ts'
import { unreachable } from './unreachable.ts'
import { viewportObstructed } from './viewport-obstructed.ts'
import { wrongPost } from './wrong-post.ts'
import type { Rule } from './rule.ts'

/** Every kind of defect by its code; the code is for machines and stays. */
export const RULES = {
  UNREACHABLE: unreachable,
  HTTP_ERROR: httpError,
  LOGIN_WALL: loginWall,
  SOFT_404: soft404,
  REDIRECTED_AWAY: redirectedAway,
  WRONG_POST: wrongPost,
  CONTENT_MISSING: contentMissing,
  CONTENT_TRUNCATED: contentTruncated,
  CONTENT_INCOMPLETE: contentIncomplete,
  CONTENT_CHANGED: contentChanged,
  CONTENT_DUPLICATED: contentDuplicated,
  CONTENT_REORDERED: contentReordered,
  CONTENT_MIXED: contentMixed,
  ESCAPED_HTML: escapedHtml,
  ESCAPED_ENTITIES: escapedEntities,
  MOJIBAKE: mojibake,
  PLACEHOLDER_TEXT: placeholderText,
  HEADLINE_MISSING: headlineMissing,
  HEADLINE_MISMATCH: headlineMismatch,
  TEXT_HIDDEN: textHidden,
  TEXT_TRANSPARENT: textTransparent,
  TEXT_CLIPPED: textClipped,
  TEXT_OFFSCREEN: textOffscreen,
  TEXT_SHRUNK: textShrunk,
  TEXT_INVISIBLE_COLOR: textInvisibleColor,
  TEXT_COVERED: textCovered,
  TEXT_CUT_OFF: textCutOff,
  VIEWPORT_OBSTRUCTED: viewportObstructed,
  TEXT_OVERLAP: textOverlap,
  TEXT_SCALED: textScaled,
  TEXT_ROTATED: textRotated,
  HORIZONTAL_OVERFLOW: horizontalOverflow,
  PAGE_OVERFLOW_OUTSIDE_ARTICLE: pageOverflowOutsideArticle,
  NO_MOBILE_VIEWPORT: noMobileViewport,
  COLUMN_TOO_NARROW: columnTooNarrow,
  IMAGE_BROKEN: imageBroken,
  IMAGE_NOT_LOADED: imageNotLoaded,
  IMAGE_MISSING: imageMissing,
  IMAGE_DISTORTED: imageDistorted,
  IMAGE_INVISIBLE: imageInvisible,
  IMAGE_FOREIGN: imageForeign,
  BLOG_CSS_NOT_APPLIED: blogCssNotApplied,
  BLOG_CSS_PARTLY_OVERRIDDEN: blogCssPartlyOverridden,
  STYLESHEET_FAILED: stylesheetFailed,
  FONT_TOO_SMALL: fontTooSmall,
  LINE_HEIGHT_TIGHT: lineHeightTight,
  LETTER_SPACING: letterSpacing,
  LOW_CONTRAST: lowContrast,
  TEXT_DIRECTION: textDirection,
  LINE_TOO_LONG: lineTooLong,
  AXE_ARTICLE: axeArticle,
  TITLE_MISSING: titleMissing,
  TITLE_MISMATCH: titleMismatch,
  TITLE_DUPLICATE: titleDuplicate,
  META_DESCRIPTION_MISSING: metaDescriptionMissing,
  META_DESCRIPTION_DUPLICATE: metaDescriptionDuplicate,
  META_DESCRIPTION_MISMATCH: metaDescriptionMismatch,
  OG_TITLE_MISSING: ogTitleMissing,
  OG_TITLE_MISMATCH: ogTitleMismatch,
  OG_IMAGE_MISSING: ogImageMissing,
  OG_IMAGE_BROKEN: ogImageBroken,
  H1_MISSING: h1Missing,
  H1_DUPLICATE: h1Duplicate,
  LANG_MISMATCH: langMismatch,
  LANG_MISSING: langMissing,
  NOINDEX: noindex,
  CANONICAL_MISSING: canonicalMissing,
  CANONICAL_INVALID: canonicalInvalid,
  CANONICAL_ELSEWHERE: canonicalElsewhere,
  JSONLD_INVALID: jsonldInvalid,
  JSONLD_MISSING: jsonldMissing,
  JSONLD_MISMATCH: jsonldMismatch,
  LAYOUT_SHIFT: layoutShift,
  JS_ERROR: jsError,
  RESOURCE_FAILED: resourceFailed,
  THIRD_PARTY_FAILED: thirdPartyFailed,
  SLOW_RESPONSE: slowResponse,
  SLOW_RENDER: slowRender,
  FONT_BLOCKS_TEXT: fontBlocksText,
  ENDLESS_LOADING: endlessLoading,
  DIALOG_SHOWN: dialogShown
} satisfies Record<string, Rule>

export type FindingCode = keyof typeof RULES
