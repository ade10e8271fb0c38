import type { UserFileColumn } from '../../../../contract/user-files.ts';

/** Names of the columns as files have them, in English, Swedish, Danish and Norwegian, compared by `nameKey`. */
export const columnNames: Readonly<Record<UserFileColumn, readonly string[]>> = {
  firstName: ['first name', 'given name', 'förnamn', 'fornavn'],
  lastName: ['last name', 'surname', 'family name', 'efternamn', 'efternavn', 'etternavn'],
  email: ['e-mail', 'email address', 'e-post', 'e-postadress', 'e-mailadresse', 'e-postadresse'],
  telephone: ['telephone', 'phone', 'phone number', 'mobile', 'telefon', 'telefonnummer', 'mobil', 'mobilnummer'],
  personalNumber: ['personal number', 'personnummer', 'cpr-nummer', 'cpr', 'fødselsnummer'],
  hiredSince: ['hired since', 'employed since', 'anställd sedan', 'ansat siden', 'ansatt siden'],
  role: ['role', 'roll', 'rolle'],
  azureUsername: ['azure username', 'azure user name', 'azure-användarnamn', 'azure-brugernavn', 'azure-brukernavn'],
};

/** Names of the built-in roles in all languages. */
export const builtInRoleNames: Readonly<Record<'SuperAdmin' | 'CustomerAdmin' | 'Doctor', readonly string[]>> = {
  SuperAdmin: ['System administrator', 'Systemadministratör', 'Systemadministrator'],
  CustomerAdmin: ['Clinic administrator', 'Klinikadministratör', 'Klinikadministrator', 'Klinikkadministrator'],
  Doctor: ['Medical personnel', 'Vårdpersonal', 'Behandler'],
};

/** Returns a name without case, spaces and punctuation. */
export const nameKey = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
