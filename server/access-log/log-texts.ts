import { accessAction } from '../../contract/access-log.ts';
import { type RoleName, roleNames } from '../../contract/claims.ts';
import danish from '../../locales/da/log.json' with { type: 'json' };
import danishRoles from '../../locales/da/roles.json' with { type: 'json' };
import english from '../../locales/en/log.json' with { type: 'json' };
import englishRoles from '../../locales/en/roles.json' with { type: 'json' };
import norwegian from '../../locales/no/log.json' with { type: 'json' };
import norwegianRoles from '../../locales/no/roles.json' with { type: 'json' };
import swedish from '../../locales/sv/log.json' with { type: 'json' };
import swedishRoles from '../../locales/sv/roles.json' with { type: 'json' };
import { languageTag, type TextLanguage, withValues } from '../domain/locale-text.ts';

type Texts = typeof english;

const texts: Readonly<Record<TextLanguage, Texts>> = { sv: swedish, en: english, da: danish, no: norwegian };
const roles: Readonly<Record<TextLanguage, Readonly<Record<RoleName, string>>>> = {
  sv: swedishRoles,
  en: englishRoles,
  da: danishRoles,
  no: norwegianRoles,
};

export interface LogTexts {
  /** Language tag; Norwegian is Bokmål (`nb`). */
  readonly language: string;
  text(key: keyof Texts, values?: Readonly<Record<string, string>>): string;
  /** Returns the translated action, or its name when this version does not know it. */
  action(name: string): string;
  /** Returns the translated name of a built-in role, or the name of a custom role. */
  role(name: string | null): string;
}

/** Returns the texts of the access log page, for use in extracts. */
export const logTexts = (language: TextLanguage): LogTexts => ({
  language: languageTag(language),
  text: (key, values = {}) => withValues(texts[language][key], values),
  action: (name) => {
    const known = accessAction.safeParse(name);
    return known.success ? texts[language][known.data] : name;
  },
  role: (name) => {
    const known = roleNames.find((one) => one === name);
    return known ? roles[language][known] : (name ?? '');
  },
});
