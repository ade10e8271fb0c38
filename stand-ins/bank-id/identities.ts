import { testPersonalNumber } from '../../demo/personal-number.ts';
import { USERS } from '../../demo/users.ts';

/** A test identity of the app. */
export interface Identity {
  /** Twelve digits. */
  readonly personalNumber: string;
  readonly givenName: string;
  readonly surname: string;
}

/** The staff of the demo clinic, and one identity without an account. */
export const identities: readonly Identity[] = [
  ...USERS.map(({ personalNumber, firstName, lastName }) => ({
    personalNumber: personalNumber.replace(/\D/g, ''),
    givenName: firstName,
    surname: lastName,
  })),
  { personalNumber: testPersonalNumber('1970-01-01', 'M'), givenName: 'Okänd', surname: 'Person' },
];

/** Returns a known identity, or one for a personal number of a test. */
export const identityOf = (personalNumber: string): Identity =>
  identities.find((identity) => identity.personalNumber === personalNumber) ?? {
    personalNumber,
    givenName: 'Test',
    surname: 'Testsson',
  };
