import { type RawBuilder, sql } from 'kysely';
import type { ListLanguage } from '../domain/list-language.ts';

/** Returns the sort expression of a key of `list_key` in a language. A literal, since indexes of migration 045 hold exactly it. */
export const inListOrder = (key: RawBuilder<string>, language: ListLanguage): RawBuilder<string> =>
  sql<string>`list_order(${key}, ${sql.lit(language)})`;
