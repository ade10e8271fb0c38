import { foldText } from '../../resource/fold-text.ts';

/**
 * What a study is found by in its own words: description and accession number, folded, each word with a space before it. An accession number with
 * signs in it is there with and without them.
 */
export const studySearchText = (study: {
  readonly description: string;
  readonly accessionNumber: string | null;
}): string => {
  const accession = foldText(study.accessionNumber ?? '');
  const joined = accession.includes(' ') ? accession.replaceAll(' ', '') : '';
  return ` ${[foldText(study.description), accession, joined].filter(Boolean).join(' ')}`;
};
