import { MatchedText } from '../ui/matched-text.tsx';
import { ProtectedMark } from './protected-mark.tsx';

interface NamedPatient {
  readonly firstName: string;
  readonly lastName: string;
  readonly protectedIdentity: boolean;
}

/** Returns the name as lists show it. */
export const listName = ({ firstName, lastName }: Pick<NamedPatient, 'firstName' | 'lastName'>): string =>
  `${lastName}, ${firstName}`;

/** A patient's name in a list, with the matches of `query` in bold, and marked when the identity is protected. */
export const PatientName = ({ patient, query }: { readonly patient: NamedPatient; readonly query: string }) => (
  <>
    <MatchedText text={listName(patient)} query={query} />
    <ProtectedMark of={patient} />
  </>
);
