import type { MergeWarning } from '../../contract/merge.ts';
import type { PatientRow } from '../db/stores/patients.ts';
import { foldText } from './fold-text.ts';

type Person = Pick<PatientRow, 'first_name' | 'last_name' | 'birth_date' | 'sex'>;

const wordsOf = ({ first_name, last_name }: Person): ReadonlySet<string> =>
  new Set(foldText(`${first_name} ${last_name}`).split(' ').filter(Boolean));

/** A middle name or a maiden name that one record has and the other lacks speaks for nothing; all words of the shorter name must be in the longer. */
const nameDiffers = (one: Person, other: Person): boolean => {
  const [fewer, more] = [wordsOf(one), wordsOf(other)].sort((first, second) => first.size - second.size);
  return [...(fewer ?? [])].some((word) => !more?.has(word));
};

const differs = <Value>(one: Value | null, other: Value | null): boolean =>
  one !== null && other !== null && one !== other;

/** What speaks against two records being of one person, the first to look at first. */
export const mergeWarningsOf = (from: Person, to: Person): MergeWarning[] => [
  ...(nameDiffers(from, to) ? (['other-name'] as const) : []),
  ...(differs(from.birth_date, to.birth_date) ? (['other-birth-date'] as const) : []),
  ...(differs(from.sex, to.sex) ? (['other-sex'] as const) : []),
];
