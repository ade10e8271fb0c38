import type { PrintRequest } from '../../../contract/print.ts';
import danish from '../../../locales/da/print.json' with { type: 'json' };
import danishViewer from '../../../locales/da/viewer.json' with { type: 'json' };
import english from '../../../locales/en/print.json' with { type: 'json' };
import englishViewer from '../../../locales/en/viewer.json' with { type: 'json' };
import norwegian from '../../../locales/no/print.json' with { type: 'json' };
import norwegianViewer from '../../../locales/no/viewer.json' with { type: 'json' };
import swedish from '../../../locales/sv/print.json' with { type: 'json' };
import swedishViewer from '../../../locales/sv/viewer.json' with { type: 'json' };
import { languageTag, type TextLanguage, withValues } from '../../domain/locale-text.ts';

type SpacingSource = NonNullable<PrintRequest['pictures'][number]['spacing']>['source'];

const texts: Readonly<Record<TextLanguage, typeof english>> = {
  sv: swedish,
  en: english,
  da: danish,
  no: norwegian,
};
const viewerTexts: Readonly<Record<TextLanguage, typeof englishViewer>> = {
  sv: swedishViewer,
  en: englishViewer,
  da: danishViewer,
  no: norwegianViewer,
};

export interface PrintTexts {
  /** Language tag; Norwegian is Bokmål (`nb`). */
  readonly language: string;
  text(key: keyof typeof english, values?: Readonly<Record<string, string | number>>): string;
  /** Formats a number with at most two decimals. */
  number(value: number): string;
  /** Says where a pixel spacing comes from; empty for one calibrated in the file. */
  spacing(source: SpacingSource): string;
}

/** Returns the texts of a printed page in a language. */
export const printTexts = (language: TextLanguage): PrintTexts => {
  const tag = languageTag(language);
  const decimal = new Intl.NumberFormat(tag, { maximumFractionDigits: 2, useGrouping: false });
  return {
    language: tag,
    text: (key, values = {}) => withValues(texts[language][key], values),
    number: (value) => decimal.format(value),
    spacing: (source) => (source === 'patient' ? '' : viewerTexts[language][`honesty-${source}`]),
  };
};
