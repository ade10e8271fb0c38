import { USERS } from '../../server/demo/people.ts';
import { testPersonalNumber } from '../../server/demo/personal-number.ts';

/** Somebody whom the test providers know. */
export interface TestPerson {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  /** 12 digits. */
  readonly personalNumber: string;
  readonly email: string;
  readonly azureUsername: string | null;
}

const staff = USERS.map(
  ({ id, firstName, lastName, personalNumber, email, azureUsername }): TestPerson => ({
    ...{ id, firstName, lastName, personalNumber, email, azureUsername },
  }),
);

/** Whom the archive has never heard of. */
const stranger: TestPerson = {
  id: 'stranger',
  firstName: 'Okänd',
  lastName: 'Besökare',
  personalNumber: testPersonalNumber('1961-05-05', 'M'),
  email: 'okand.besokare@annan.example',
  azureUsername: 'okand.besokare@annan.example',
};

/** The staff of the demo clinics, and one stranger. */
export const testPeople: readonly TestPerson[] = [...staff, stranger];
