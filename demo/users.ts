import { defaultClaims, roleNames } from '../contract/claims.ts';
import { uuidFrom } from '../dicom/write/uid.ts';
import type { DemoCustomer, DemoRole, DemoRoleName, DemoUser } from './clinic-model.ts';
import { testOrganisationNumber, testPersonalNumber } from './personal-number.ts';

/** Password of every demo account. */
export const DEMO_PASSWORD = 'Demo-2026!';

/**
 * Telephone numbers are in the ranges that Post- och telestyrelsen reserves for fiction:
 * 031-390 06 00 to 49, 040-628 04 00 to 49 and 070-174 06 05 to 99.
 */
export const CUSTOMERS: readonly DemoCustomer[] = [
  {
    id: uuidFrom('customer/ljungheden'),
    organisationName: 'Tandkliniken Ljungheden',
    organisationNumber: testOrganisationNumber('402931551'),
    customerNumber: 'DEMO-1001',
    address: 'Ljunghedsvägen 14',
    city: 'Uppsala',
    zipcode: '752 00',
    telephone: '031-390 06 12',
    description: 'Allmäntandvård och parodontologi, fyra behandlingsrum',
    license: 'DEMO',
    useProxy: false,
  },
  {
    id: uuidFrom('customer/oresund'),
    organisationName: 'Öresunds Tandvård',
    organisationNumber: testOrganisationNumber('402931668'),
    customerNumber: 'DEMO-1002',
    address: 'Hamnallén 3 B',
    city: 'Malmö',
    zipcode: '211 00',
    telephone: '040-628 04 31',
    description: 'Allmäntandvård, ortodonti och implantat',
    license: 'DEMO',
    useProxy: false,
  },
];

export const ROLES: readonly DemoRole[] = roleNames.map((name, rank) => ({
  id: uuidFrom(`role/${name}`),
  name,
  rank: rank === 0 ? 0 : rank === 1 ? 1 : 2,
  claims: defaultClaims[name],
}));

type StaffMember = readonly [firstName: string, lastName: string, birthDate: string, sex: 'M' | 'F', hired: string];

const asciiOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');

const user = (member: StaffMember, roleName: DemoRoleName, clinic: number | null, index: number): DemoUser => {
  const [firstName, lastName, birthDate, sex, hiredSince] = member;
  const email = `${asciiOf(firstName)}.${asciiOf(lastName)}@dentarium.example`;
  return {
    id: uuidFrom(`user/${email}`),
    email,
    password: DEMO_PASSWORD,
    firstName,
    lastName,
    personalNumber: testPersonalNumber(birthDate, sex),
    // The first clinic and the super administrator are in the directory; the second clinic has none.
    azureUsername: clinic === 1 ? null : email.replace('@dentarium.', '@ljungheden.'),
    telephone: `070-174 06 ${String(11 + index).padStart(2, '0')}`,
    hiredSince,
    isActive: true,
    customerId: clinic === null ? null : (CUSTOMERS[clinic]?.id ?? null),
    roleId: uuidFrom(`role/${roleName}`),
    roleName,
  };
};

const STAFF: readonly (readonly [StaffMember, DemoRoleName, number | null])[] = [
  [['Ingrid', 'Norrsken', '1975-03-14', 'F', '2015-01-12'], 'SuperAdmin', null],
  [['Göran', 'Åkerblom', '1968-11-02', 'M', '2012-08-20'], 'CustomerAdmin', 0],
  [['Maja', 'Lindqvist', '1984-06-21', 'F', '2017-03-01'], 'Doctor', 0],
  [['Elias', 'Östergren', '1990-09-30', 'M', '2021-09-13'], 'Doctor', 0],
  [['Birgitte', 'Sørensen', '1972-01-25', 'F', '2014-05-05'], 'CustomerAdmin', 1],
  [['Henrik', 'Kjær', '1981-12-09', 'M', '2016-10-03'], 'Doctor', 1],
  [['Aino', 'Mäkelä', '1993-04-17', 'F', '2023-02-06'], 'Doctor', 1],
];

/** One super administrator; for each clinic an administrator and two doctors. */
export const USERS: readonly DemoUser[] = STAFF.map(([member, roleName, clinic], index) =>
  user(member, roleName, clinic, index),
);
