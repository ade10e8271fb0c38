import type { MergeWarning } from '../../contract/merge.ts';
import type { PatientRow } from '../db/stores/patients.ts';
import { searchKey } from '../domain/search-key.ts';

type PatientIdentity = Pick<PatientRow, 'first_name' | 'last_name' | 'birth_date' | 'sex'>;

const wordsOf = ({ first_name, last_name }: PatientIdentity): ReadonlySet<string> =>
  new Set(searchKey(`${first_name} ${last_name}`).split(' ').filter(Boolean));

/** Extra middle or maiden names in one record are ignored; all words of the shorter name must occur in the longer one. */
const nameDiffers = (one: PatientIdentity, other: PatientIdentity): boolean => {
  const [fewer, more] = [wordsOf(one), wordsOf(other)].sort((first, second) => first.size - second.size);
  return [...(fewer ?? [])].some((word) => !more?.has(word));
};

const differs = <Value>(one: Value | null, other: Value | null): boolean =>
  one !== null && other !== null && one !== other;

/** Returns the differences between two patient records, most important first. */
export const mergeWarningsOf = (from: PatientIdentity, to: PatientIdentity): MergeWarning[] => [
  ...(nameDiffers(from, to) ? (['other-name'] as const) : []),
  ...(differs(from.birth_date, to.birth_date) ? (['other-birth-date'] as const) : []),
  ...(differs(from.sex, to.sex) ? (['other-sex'] as const) : []),
];
