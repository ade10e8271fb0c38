import { testPersonalNumber } from '../../demo/personal-number.ts';
import { USERS } from '../../demo/users.ts';

/** A user of the test providers. */
export interface TestUser {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  /** 12 digits. */
  readonly personalNumber: string;
  readonly email: string;
  readonly azureUsername: string | null;
}

const staff = USERS.map(
  ({ id, firstName, lastName, personalNumber, email, azureUsername }): TestUser => ({
    id,
    firstName,
    lastName,
    personalNumber,
    email,
    azureUsername,
  }),
);

/** A user without an account in the archive. */
const unknownUser: TestUser = {
  id: 'stranger',
  firstName: 'Okänd',
  lastName: 'Besökare',
  personalNumber: testPersonalNumber('1961-05-05', 'M'),
  email: 'okand.besokare@annan.example',
  azureUsername: 'okand.besokare@annan.example',
};

/** The staff of the demo clinics, and one unknown user. */
export const testUsers: readonly TestUser[] = [...staff, unknownUser];
