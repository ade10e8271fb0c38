import { QueryClient } from '@tanstack/query-core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { type CustomerRow, customerGet, customerGetAll } from '../../contract/customers.ts';
import { destructionList } from '../../contract/destruction.ts';
import { type Statistics, statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { createRecords } from '../../src/services/records.ts';
import type { AppContext } from '../../src/views/app/app-context.tsx';
import { ClinicsPage } from '../../src/views/clinics/clinics-page.tsx';
import { anArchive, type Called, WithAdministration } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

export const clinic = (number: number, name: string, more: Partial<CustomerRow> = {}): CustomerRow => ({
  id: idOf(number),
  name,
  organisationNumber: '402931-5514',
  customerNumber: 'K-1',
  address: 'Storgatan 1',
  city: 'Uppsala',
  zipcode: '752 00',
  telephone: '018-10 20 30',
  description: null,
  license: null,
  country: 'SE',
  useProxy: false,
  sharesByLink: false,
  retentionYears: 10,
  viewers: [],
  version: 3,
  users: 4,
  ...more,
});

export const ljungheden = clinic(1, 'Ljungheden');
export const oresund = clinic(2, 'Öresund', { city: 'Malmö' });

const weeks = Array.from({ length: 26 }, (_, week) => ({
  week: new Date(Date.UTC(2026, 4, 25 + 7 * week)).toISOString().slice(0, 10),
  patients: week,
  studies: 2 * week,
  images: 10 * week,
}));

export const numbers: Statistics = {
  clinics: 2,
  users: { active: 1_200, inactive: 34, total: 1_234 },
  patients: 40,
  studies: 45,
  images: 214,
  weekly: weeks,
};

export const refused = (code: 'conflict' | 'no-right' | 'own-clinic' | 'cannot-move-user', status = 409) =>
  new ServiceError({ kind: 'refused', status, code, errors: [] });

export const usual = ({ route, params, query }: Called): unknown => {
  const all = [ljungheden, oresund];
  switch (route) {
    case customerGetAll: {
      const data = all.filter(({ name }) => !query.q || name.toLowerCase().includes(String(query.q)));
      return { data, totalCount: data.length, isTotalExact: true, next: null };
    }
    case customerGet:
      return all.find((one) => one.id === params.id);
    case destructionList:
      return { data: [], totalCount: 0, backupKeepDays: null };
    case statisticsGet:
      return numbers;
    case statisticsOfCustomer:
      return { ...numbers, clinics: 1, users: { active: 3, inactive: 1, total: 4 }, patients: 7 };
    default:
      throw new Error(`unexpected call: ${route.path}`);
  }
};

/** Marked as fulfilled the way React does, so that the first render does not suspend. */
const recordsOf = (call: Call): AppContext['records'] => {
  const value = createRecords(call, new QueryClient());
  const records = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  return () => records;
};

export const openClinics = async (
  answer: (called: Called) => unknown = usual,
  { permission = defaultClaims.SuperAdmin }: { permission?: readonly string[] } = {},
) => {
  const archive = anArchive(answer);
  const session = await signedInAs('SuperAdmin', { permission });
  await show(
    <WithAdministration call={archive.call} more={{ records: recordsOf(archive.call) }}>
      <ClinicsPage session={session} />
    </WithAdministration>,
  );
  return { ...archive, session };
};

export const menuOf = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
};

export const choose = async (name: RegExp) =>
  userEvent.click(await screen.findByRole('menuitem', { name, hidden: true }));
export const bodyOf = (calls: readonly Called[], route: unknown) =>
  calls.find((called) => called.route === route)?.body;

/** Prepares jsdom for the page of clinics, with empty storage. Call it once in a test file. */
export const withClinicsPage = () => {
  // jsdom has no font loading API.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

  beforeEach(() => {
    localStorage.clear();
    window.history.replaceState(null, '', '/customers');
  });
};
