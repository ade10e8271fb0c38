import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessActions } from '../../contract/access-log.ts';
import { csvCell } from '../../contract/csv.ts';
import { csvExtract } from '../../server/access-log/extract-csv.ts';
import { pdfExtract } from '../../server/access-log/extract-pdf.ts';
import { logTexts } from '../../server/access-log/log-texts.ts';
import { type Access, insertAccesses } from '../../server/db/stores/access-log.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { pdfPages } from './pdf-text.ts';

let archive: ArchiveUnderTest;
let patientId: string;
const name = 'Åsa=1+1 Żółć-Ðurđević';

beforeAll(async () => {
  archive = await archiveUnderTest();
  const { customerId } = archive.clinics;
  patientId = await archive.addPatient({ customerId, firstName: 'Åsa=1+1', lastName: 'Żółć-Ðurđević' });
  await archive.db
    .updateTable('account')
    .set({ first_name: '=HYPERLINK("http://x";"y")', last_name: 'Prov' })
    .where('id', '=', archive.clinics.doctorId)
    .execute();
});
afterAll(() => archive.close());

const add = (...entries: (Partial<Access> & { at: Date })[]) =>
  insertAccesses(
    archive.db,
    entries.map((entry) => ({
      accountId: archive.clinics.doctorId,
      customerId: archive.clinics.customerId,
      patientId,
      action: 'patient.opened' as const,
      objectId: null,
      ...entry,
    })),
  );

const extract = (query: Record<string, string>, as = archive.clinics.adminId, id = patientId) =>
  archive.call(`/api/AccessLog/patient/${id}?${new URLSearchParams(query)}`, { as });

/** Parses RFC 4180 with semicolons. */
const parsedCsv = (text: string): string[][] => {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === ';' || sign === '\r') {
      rows.at(-1)?.push(cell);
      cell = '';
      if (sign === '\r') {
        at += 1;
        rows.push([]);
      }
    } else cell += sign;
  }
  return rows.slice(0, -1);
};

describe('the extract as CSV', () => {
  test('contains every entry about the patient as text, with its local date', async () => {
    const { superId } = archive.clinics;
    await add(
      { at: new Date('2026-10-25T00:30:00Z') },
      { at: new Date('2026-10-25T01:30:00Z'), accountId: superId, action: 'image.opened' },
      { at: new Date('2026-10-25T02:30:00Z'), patientId: null, action: 'sign-out' },
    );
    const reply = await extract({ format: 'csv', from: '2026-10-25', to: '2026-10-25' });
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    const file = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? '';
    expect(file).toMatch(/^loggutdrag-\d{4}-\d\d-\d\d\.csv$/);
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = bytes.toString('utf8').slice(1);
    expect(parsedCsv(text)).toEqual([
      ['Tid', 'Användare', 'Roll', 'Enhet', 'Åtgärd', 'Patient', 'Personnummer', 'Tid (UTC, världstid)'],
      [
        '2026-10-25 02:30:00',
        'Anna Prov',
        'Systemadministratör',
        'Systemadministration',
        'Öppnade en bild',
        name,
        '19800101-1234',
        '2026-10-25T01:30:00.000Z',
      ],
      [
        '2026-10-25 02:30:00',
        `'=HYPERLINK("http://x";"y") Prov`,
        'Vårdpersonal',
        'Provkliniken',
        'Öppnade patienten',
        name,
        '19800101-1234',
        '2026-10-25T00:30:00.000Z',
      ],
    ]);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  test.each([
    ['=1+1', `"'=1+1"`],
    ['+46', `"'+46"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['  =1', `"'  =1"`],
    ['\t=1', `"'\t=1"`],
    ['＝1', `"'＝1"`],
    ['Anna-Karin', 'Anna-Karin'],
    ['Åsa "Ö"; Lind', '"Åsa ""Ö""; Lind"'],
    ['två\r\nrader', '"två\r\nrader"'],
  ])('writes cell %j as %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  test('is written in the requested language', async () => {
    const head = async (language: string) =>
      (await (await extract({ format: 'csv', language })).text()).split('\r\n')[0];
    expect(await Promise.all(['sv', 'en', 'da', 'no'].map(head))).toEqual([
      expect.stringContaining('Åtgärd'),
      expect.stringContaining('Action'),
      expect.stringContaining('Handling'),
      expect.stringContaining('Handling'),
    ]);
  });
});

describe('the extract as PDF', () => {
  test('names clinic, patient, period and author, repeats its header, numbers its pages and contains every entry', async () => {
    const start = Date.UTC(2020, 0, 15);
    const entries = 700;
    await add(
      ...Array.from({ length: entries }, (_, index) => ({
        at: new Date(start + index * 1000),
        accountId: archive.clinics.otherDoctorId,
        action: 'studies.opened' as const,
      })),
    );
    const reply = await extract({ format: 'pdf', from: '2020-01-15', to: '2020-01-15' });
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toMatch(/filename="loggutdrag-\d{4}-\d\d-\d\d\.pdf"/);
    const pages = pdfPages(Buffer.from(await reply.arrayBuffer()));
    expect(pages.length).toBeGreaterThan(10);
    const first = pages[0]?.join('\n') ?? '';
    for (const text of [
      'Provkliniken',
      name,
      '19800101-1234',
      '2020-01-15 till 2020-01-15',
      'av Anna Prov',
      '8 kap. 5 §',
    ])
      expect(first).toContain(text);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Sida ${index + 1}`);
      expect(page.join('\n')).toContain('Åtgärd');
    }
    const all = pages.flat();
    expect(all.filter((line) => /^2020-01-15 \d\d:\d\d:\d\d$/.test(line))).toHaveLength(entries);
    expect(new Set(all.filter((line) => /^2020-01-15 \d\d:/.test(line))).size).toBe(entries);
    expect(all.join('\n')).toContain(`Poster: ${entries}`);
    expect(all.join('')).not.toContain('\uFFFD');
  });

  test.each([
    ['sv', 'röntgenstrålning'],
    ['en', 'X-rays'],
    ['da', 'røntgenstråling'],
    ['no', 'røntgenstråling'],
  ])('is PDF/A-2b in %s with embedded fonts and an output intent, and explains its words', async (language, word) => {
    const bytes = Buffer.from(await (await extract({ format: 'pdf', to: '2001-01-01', language })).arrayBuffer());
    const pdf = bytes.toString('latin1');
    expect(pdf).toMatch(/<pdfaid:part>2<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
    expect(pdf).toMatch(/\/Type \/OutputIntent\n\/S \/GTS_PDFA1/);
    expect(pdf).toContain(`/Lang (${language === 'no' ? 'nb' : language})`);
    const fonts = [...pdf.matchAll(/\/BaseFont \/(\S+)/g)].map(([, font]) => font);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter((font) => !/^[A-Z]{6}\+DejaVuSans/.test(font ?? ''))).toEqual([]);
    const descriptors = [...pdf.matchAll(/\/Type \/FontDescriptor[\s\S]*?endobj/g)];
    expect(descriptors.every(([text]) => /\/FontFile2 /.test(text))).toBe(true);
    expect(pdf).not.toMatch(/\/(SMask|Encrypt|JavaScript|Launch) /);
    expect(pdfPages(bytes)[0]?.join(' ')).toContain(word);
  });

  test('replaces characters that the embedded font lacks, because PDF/A forbids them', async () => {
    const id = await archive.addPatient({
      customerId: archive.clinics.customerId,
      firstName: '李\u{1F9B7}',
      lastName: 'Wei',
      personalNumber: '19990101-0003',
    });
    const reply = await extract({ format: 'pdf', to: '2001-01-01' }, undefined, id);
    const [page = []] = pdfPages(Buffer.from(await reply.arrayBuffer()));
    expect(page.join('\n')).toContain('\uFFFD\uFFFD Wei');
  });

  test('states when the patient was never opened', async () => {
    const id = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: '19990101-0002' });
    const [page = [], ...others] = pdfPages(
      Buffer.from(await (await extract({ format: 'pdf', to: '2001-01-01' }, undefined, id)).arrayBuffer()),
    );
    expect(others).toEqual([]);
    expect(page.join('\n')).toContain('Poster: 0');
  });
});

test.each([
  ['CSV', csvExtract],
  ['PDF', pdfExtract],
] as const)('an extract as %s that fails midway aborts the connection', async (_, make) => {
  const patient = { id: patientId, customer_id: '', customer_name: '', name: '', personal_number: '' };
  const about = { patient, from: undefined, to: undefined, madeAt: new Date(), madeBy: '', words: logTexts('sv') };
  const lines = async function* () {
    yield [{ time: '', utc: '', who: '', role: '', unit: '', did: '' }];
    throw new Error('the database went away');
  };
  await expect(buffer(make(about, lines()))).rejects.toThrow('went away');
});

test.each(['csv', 'pdf'])('the extract as %s names no other patient, and each action in words', async (format) => {
  const { customerId } = archive.clinics;
  const number = format === 'csv' ? '19990101-0004' : '19990101-0005';
  const otherId = await archive.addPatient({
    customerId,
    firstName: 'Hemlig',
    lastName: 'Granne',
    personalNumber: `${number}1`,
  });
  const id = await archive.addPatient({ customerId, personalNumber: number });
  const at = new Date('2019-01-01T10:00:00Z');
  await add(
    ...accessActions.map((action) => ({ at, patientId: id, action, detail: 'Hemlig Granne', objectId: otherId })),
    { at, patientId: otherId, action: 'study.moved' },
  );
  const bytes = Buffer.from(await (await extract({ format, language: 'en' }, undefined, id)).arrayBuffer());
  const words = format === 'csv' ? bytes.toString('utf8') : pdfPages(bytes).flat().join(' ').replaceAll(/\s+/g, ' ');
  for (const action of accessActions.filter((one) => one.includes('.'))) expect(words).not.toContain(action);
  expect(words).toContain('Moved a study between patients');
  // Only the recipient of a shared link is named from a detail.
  const named = words.replaceAll('Hemlig Granne (by link', '');
  expect(named).not.toContain('Hemlig');
});

describe('access to the extract', () => {
  test('is limited to administrators of the clinic and of the archive; other clinics get 404', async () => {
    const { superId, doctorId, otherCustomerId } = archive.clinics;
    const other = await archive.addPatient({ customerId: otherCustomerId });
    const csv = { format: 'csv' };
    expect((await extract(csv, superId)).status).toBe(200);
    expect((await extract(csv, doctorId)).status).toBe(403);
    const otherClinic = await extract(csv, undefined, other);
    const unknown = await extract(csv, undefined, randomUUID());
    expect(otherClinic.status).toBe(404);
    const bodyOf = async (reply: Response) => ({ ...(await reply.json()), requestId: '' });
    expect(await bodyOf(otherClinic)).toEqual(await bodyOf(unknown));
    expect((await extract({ format: 'xlsx' })).status).toBe(400);
  });

  test('is logged with the patient', async () => {
    await extract({ format: 'pdf' });
    const entry = () =>
      archive.db
        .selectFrom('access_log')
        .selectAll()
        .where('action', '=', 'log.extracted')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
    expect(await entry()).toMatchObject({
      account_id: archive.clinics.adminId,
      patient_id: patientId,
      customer_id: archive.clinics.customerId,
      detail: 'pdf',
    });
  });
});
