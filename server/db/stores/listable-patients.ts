import { type RawBuilder, sql } from 'kysely';

/** Whose list of a clinic it is. */
export interface ListReader {
  readonly customerId: string;
  /** Whether the list includes patients with protected identity. */
  readonly seesProtected: boolean;
}

/** Shorter parts of a personal number find many patients, so they are no proof of knowing it. */
const completeLength = 10;

/**
 * Returns the condition that leaves out patients with protected identity, except those whose complete personal number is among `numbers`
 * (letters and digits, with or without century); no condition for a reader who sees them.
 */
export const isListable = (
  patientId: RawBuilder<string>,
  { customerId, seesProtected }: ListReader,
  numbers: readonly string[] = [],
): readonly RawBuilder<boolean>[] => {
  if (seesProtected) return [];
  const complete = numbers.filter((number) => number.length >= completeLength);
  const isNamed = sql`number_forms(search_digits) && ${complete}::text[]`;
  return [
    sql<boolean>`${patientId} not in (select id from patient where customer_id = ${customerId} and has_protected_identity
      ${complete.length === 0 ? sql`` : sql`and not (${isNamed})`})`,
  ];
};
