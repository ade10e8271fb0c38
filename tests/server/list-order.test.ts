import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessLogUsers } from '../../contract/access-log.ts';
import { customerGetAll } from '../../contract/customers.ts';
import { dicomDevices } from '../../contract/dicom-devices.ts';
import { imageSearchPrivate } from '../../contract/gallery.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import { contentSearchDeleted, patientSearchDeletedPrivate } from '../../contract/recycle-bin.ts';
import { roles } from '../../contract/roles.ts';
import type { Route } from '../../contract/route.ts';
import { customerUsers } from '../../contract/users.ts';
import { templates } from '../../contract/viewsets.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { insertRole } from '../../server/db/stores/role-store.ts';
import { listLanguage, listLanguages } from '../../server/domain/list-language.ts';
import { addAccount, addClinic } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

/** No two are equal but for accents, in which PostgreSQL and ICU may differ. */
const lastNames = `
  Aagaard, Abel, Adamik, Berg, Berg-Lund, Bergman, Düring, Dybeck, Dürst, Łukaszewicz, Lund, Luther, Żak,
  Zander, Ågren, Åstrand, Ärlig, Ägir, Æbelø, Ærlund, Öberg, Öst, Øland, Østerberg, O'Brien, Obel, von Essen,
  Vonk, Šimek, Sievers, Søby, Sörbo, Đurić, Duun`
  .split(',')
  .map((name) => name.trim());
const tags = { sv: 'sv', da: 'nb-NO,nb;q=0.9', en: 'en-GB' };
const languages = listLanguages.map((language) => [language] as const);
/** The order of ICU, which Node has for every language. */
const inOrderOf = (language: keyof typeof tags, names: readonly string[]) =>
  names.toSorted(new Intl.Collator(language).compare);

let test: EmployeesUnderTest;
let clinic = '';
/** The log of a clinic names its devices beside its users. */
let clinicOfDevices = '';

const lastNameOf = ({ lastName }: { readonly lastName: string }) => lastName;

beforeAll(async () => {
  test = await employeesUnderTest();
  const { db } = test;
  clinic = await addClinic(db, 'Alfabet');
  clinicOfDevices = await addClinic(db, 'Apparater');
  for (const [at, lastName] of lastNames.entries()) {
    await insertRole(db, { name: `Zon ${lastName}`, rank: 3, claims: [] });
    const patient = await addPatient(db, clinic, 'Eva', lastName);
    const series = await addSeries(db, await addStudy(db, patient));
    await addImage(db, clinic, series);
    const deleted = await addPatient(db, clinic, 'Eva', lastName);
    await db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', deleted.id).execute();
    await addImage(db, clinic, series, { deleted_at: new Date() });
    const account = await addAccount(db, { email: `${randomUUID()}@prov.example`, role: 'Doctor', customerId: clinic });
    const device = {
      customerId: clinicOfDevices,
      name: lastName,
      aeTitle: `ZON${at}`,
      address: '10.0.0.1',
      port: null,
      canRetrieve: false,
      canStore: true,
      atOnce: false,
      seesWorklist: false,
      createdBy: account,
    };
    await db.transaction().execute((transaction) => insertDicomDevice(transaction, device));
    await db
      .updateTable('account')
      .set({ last_name: lastName, first_name: lastName })
      .where('id', '=', account)
      .execute();
    await db
      .insertInto('customer')
      .values({ id: randomUUID(), name: `Zon ${lastName}`, city: lastName })
      .execute();
    await db
      .insertInto('template')
      .values({
        id: randomUUID(),
        customer_id: clinic,
        name: lastName,
        width: 1,
        height: 1,
        modality: 'IO',
        items: '[]',
      })
      .execute();
  }
});
afterAll(() => test?.close());

const reply = (route: Route, language: keyof typeof tags, input: object) =>
  test.callRoute(route, 'super', { ...input, headers: { 'accept-language': tags[language] } });

describe('the order of names', () => {
  it.each(languages)('in the database is that of ICU for %s', async (language) => {
    const { rows } = await sql<{ name: string }>`
      select name from unnest(${lastNames}::text[]) as name order by list_order(list_key(name), ${language})`.execute(
      test.db,
    );
    expect(rows.map(({ name }) => name)).toEqual(inOrderOf(language, lastNames));
  });

  it.each([
    [undefined, 'sv'],
    ['*', 'sv'],
    ['sv-FI', 'sv'],
    ['no', 'da'],
    ['nn-NO,en;q=0.5', 'da'],
    ['de-DE,sv;q=0.5', 'en'],
    ['constructor', 'en'],
  ] as const)('of a request with Accept-Language %s is that of %s', (header, language) => {
    expect(listLanguage(header)).toBe(language);
  });
});

describe.each(languages)('in %s', (language) => {
  const ppage = 100;
  const sorted = inOrderOf(language, lastNames);

  it('patients without and with a text, by cursor and at once', async () => {
    for (const q of ['', 'eva']) {
      const names: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const body = { customerId: clinic, q, ppage: 7, ...(after && { after }) };
        const page = (await reply(patientSearchPrivate, language, { body })).body;
        names.push(...page.data.map(({ mainInfo }: { mainInfo: { lastName: string } }) => mainInfo.lastName));
        after = page.next;
      }
      expect(names).toEqual(sorted);
    }
    const { body } = await reply(patientSearchPrivate, language, { body: { customerId: clinic, q: 'o', ppage } });
    const found = lastNames.filter((name) => /^[oöø]/i.test(name));
    expect(body.data.map(({ mainInfo }: { mainInfo: { lastName: string } }) => mainInfo.lastName)).toEqual(
      inOrderOf(language, found),
    );
  });

  it('images by patient', async () => {
    const body = { customerId: clinic, sort: 'patient', order: 'asc', ppage };
    const names = (await reply(imageSearchPrivate, language, { body })).body.data.map(
      ({ patientName }: { patientName: string }) => patientName.replace('Eva ', ''),
    );
    expect(names).toEqual(sorted);
  });

  it('users, in the list and in the filter of the access log', async () => {
    const query = { sort: 'name', ppage: String(ppage) };
    expect(
      (await reply(customerUsers, language, { params: { customerId: clinic }, query })).body.data.map(lastNameOf),
    ).toEqual(sorted);
    const users = (await reply(accessLogUsers, language, { query: { customerId: clinic } })).body;
    expect(users.map(({ name }: { name: string }) => name.slice(name.length / 2 + 0.5))).toEqual(sorted);
  });

  it('clinics by name and by city', async () => {
    for (const sort of ['name', 'city'] as const) {
      const query = { sort, q: 'zon', ppage: String(ppage) };
      const clinics = (await reply(customerGetAll, language, { query })).body.data;
      expect(clinics.map(({ city }: { city: string }) => city)).toEqual(sorted);
    }
  });

  it('the recycle bin by patient', async () => {
    const body = { customerId: clinic, sort: 'name', order: 'asc', ppage };
    const patients = (await reply(patientSearchDeletedPrivate, language, { body })).body.data;
    expect(patients.map(({ mainInfo }: { mainInfo: { lastName: string } }) => mainInfo.lastName)).toEqual(sorted);
    const contents = (await reply(contentSearchDeleted, language, { body })).body.data;
    expect(contents.map(({ patient }: { patient: { lastName: string } }) => patient.lastName)).toEqual(sorted);
  });

  it('roles of a rank by name', async () => {
    const names = (await reply(roles, language, {})).body.map(({ name }: { name: string }) => name);
    const own = names.filter((name: string) => name.startsWith('Zon '));
    expect(own.map((name: string) => name.replace('Zon ', ''))).toEqual(sorted);
  });

  it('DICOM devices by name', async () => {
    const { devices } = (await reply(dicomDevices, language, { params: { customerId: clinicOfDevices } })).body;
    expect(devices.map(({ name }: { name: string }) => name)).toEqual(sorted);
  });

  it('templates by name', async () => {
    const list = (await reply(templates, language, { query: { customerId: clinic } })).body;
    const names = list.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => lastNames.includes(name))).toEqual(sorted);
  });
});

it('rejects a cursor of another language', async () => {
  const body = { customerId: clinic, q: '', ppage: 7 };
  const { next } = (await reply(patientSearchPrivate, 'sv', { body })).body;
  const { status } = await reply(patientSearchPrivate, 'da', { body: { ...body, after: next } });
  expect(status).toBe(400);
});
