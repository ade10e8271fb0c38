import { searchKey } from '../../domain/search-key.ts';

/**
 * Returns the search text of a study: normalized description and accession number, each word with a space before it. An accession number with
 * punctuation is included with and without it.
 */
export const studySearchText = (study: {
  readonly description: string;
  readonly accessionNumber: string | null;
}): string => {
  const accession = searchKey(study.accessionNumber ?? '');
  const joined = accession.includes(' ') ? accession.replaceAll(' ', '') : '';
  return ` ${[searchKey(study.description), accession, joined].filter(Boolean).join(' ')}`;
};
