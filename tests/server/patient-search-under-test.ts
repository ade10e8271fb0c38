import { afterAll, beforeAll } from 'vitest';
import type { Patient } from '../../contract/patients.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';

interface Found {
  readonly data: readonly Patient[];
  readonly similar: readonly Patient[];
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  readonly next: string | null;
}

export const namesIn = ({ data }: Pick<Found, 'data'>) =>
  data.map(({ mainInfo }) => `${mainInfo.lastName} ${mainInfo.firstName}`);

/** An archive whose patients are searched in the clinic that was added last; call once per test file. */
export const patientSearchUnderTest = () => {
  let archive: ArchiveUnderTest;
  let clinic: string;
  let numbers = 0;

  beforeAll(async () => {
    archive = await archiveUnderTest();
  });
  afterAll(() => archive.close());

  const newClinic = async (name: string): Promise<string> => {
    clinic = await addClinic(archive.db, name);
    return clinic;
  };

  const add = (lastName: string, firstName: string, more: { personalNumber?: string; customerId?: string } = {}) => {
    numbers += 1;
    const personalNumber = `1912${String(numbers).padStart(8, '7')}`;
    return archive.addPatient({ customerId: clinic, personalNumber, birthDate: null, ...more, lastName, firstName });
  };

  const search = async (query: object): Promise<Found> => {
    const body = { customerId: clinic, ...query };
    const reply = await archive.post('/resource/patient/search', body, archive.clinics.superId);
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
    return reply.json();
  };

  const names = async (q: string) => namesIn(await search({ q, ppage: 500 }));

  /** Collects all pages, by cursor or by number. */
  const allPages = async (query: object, ppage: number, byNumber = false): Promise<Found[]> => {
    const pages = [await search({ ...query, ppage })];
    for (let last = pages[0]; last?.next; last = pages.at(-1)) {
      const place = byNumber ? { page: pages.length + 1 } : { after: last.next };
      pages.push(await search({ ...query, ppage, ...place }));
    }
    return pages;
  };

  return { archive: () => archive, newClinic, add, search, names, allPages };
};
