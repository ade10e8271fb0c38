import { USERS } from '../../server/demo/people.ts';
import { testPersonalNumber } from '../../server/demo/personal-number.ts';

/** A person of whom this app can say that they are there. */
export interface Identity {
  /** Twelve digits. */
  readonly personalNumber: string;
  readonly givenName: string;
  readonly surname: string;
}

/** The staff of the demo clinic, and one person whom no clinic employs. */
export const identities: readonly Identity[] = [
  ...USERS.map(({ personalNumber, firstName, lastName }) => ({
    personalNumber: personalNumber.replace(/\D/g, ''),
    givenName: firstName,
    surname: lastName,
  })),
  { personalNumber: testPersonalNumber('1970-01-01', 'M'), givenName: 'Okänd', surname: 'Person' },
];

/** One of them, or a personal number that a test made. */
export const identityOf = (personalNumber: string): Identity =>
  identities.find((identity) => identity.personalNumber === personalNumber) ?? {
    personalNumber,
    givenName: 'Test',
    surname: 'Testsson',
  };
