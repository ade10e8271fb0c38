import { buffer } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { LogPatient } from '../db/stores/access-log-pages.ts';
import type { TextLanguage } from '../domain/locale-text.ts';
import { extractLines } from './extract.ts';
import { csvExtract } from './extract-csv.ts';
import { logTexts } from './log-texts.ts';

/** Returns the whole log of a patient as CSV, as the extract has it. */
export const patientLog = (db: Kysely<Schema>, patient: LogPatient, language: TextLanguage): Promise<Uint8Array> => {
  const extract = {
    patient,
    from: undefined,
    to: undefined,
    madeAt: new Date(),
    madeBy: '',
    words: logTexts(language),
  };
  return buffer(csvExtract(extract, extractLines(db, extract)));
};
