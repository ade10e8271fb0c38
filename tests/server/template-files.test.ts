import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Template } from '../../contract/viewsets.ts';
import { displayFile } from '../dicom/written-objects.ts';
import { protocolBytes } from '../dicom/written-protocol.ts';
import { clinicImport } from './clinic-import.ts';
import { smallObject } from './small-object.ts';
import { expectProblem, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

/** A clinic whose doctors may create templates. */
const openBench = async (): Promise<ViewsetBench> => {
  const opened = await viewsetBench();
  const { doctorId } = opened.clinics;
  const principal = opened.principals.get(doctorId);
  if (principal) opened.principals.set(doctorId, { ...principal, permissions: [] });
  return opened;
};

let bench: ViewsetBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const templates = async (): Promise<Template[]> => (await bench.call('/resource/ViewSetTemplate/')).json();
const exported = async (uuid: string, as?: string): Promise<Response> =>
  bench.call(`/resource/ViewSetTemplate/${uuid}/dicom`, as === undefined ? {} : { as });
const imported = (file: Uint8Array, customerId = bench.clinics.customerId, as?: string) =>
  bench.send('POST', '/resource/ViewSetTemplate/dicom', { customerId, file: Buffer.from(file).toString('base64') }, as);
const bytesOf = async (reply: Response) => new Uint8Array(await reply.arrayBuffer());
const contentOf = ({ uuid, isFavorite, ...content }: Template) => content;

/** A template that says all that a template can say. */
const rotated = async (): Promise<Template> => {
  const slot = { order: 2, xPos: 0.25, yPos: 1, width: 33.5, height: 20, horizontalFlip: true, rotation: 33 };
  const id = randomUUID();
  await bench.db
    .insertInto('template')
    .values({
      id,
      customer_id: bench.clinics.customerId,
      name: 'Sidobilder från sensorn i rum 3',
      width: 67.25,
      height: 21,
      modality: 'IO',
      items: JSON.stringify([
        { ...slot, itemIndex: 4, teeth: [18, 55], description: 'Molar\n"höger"' },
        { ...slot, itemIndex: 0, order: 1, xPos: 33.75, teeth: [], description: null },
      ]),
    })
    .execute();
  const [found] = (await templates()).filter(({ uuid }) => uuid === id);
  if (!found) throw new Error('no template');
  return found;
};

describe('a template as a Hanging Protocol', () => {
  it('comes back value by value in another installation', async () => {
    const template = await rotated();
    const reply = await exported(template.uuid);
    expect(reply.headers.get('content-type')).toBe('application/dicom');
    const file = await bytesOf(reply);
    const other = await openBench();
    try {
      const body = { customerId: other.clinics.customerId, file: Buffer.from(file).toString('base64') };
      const answer = await (await other.send('POST', '/resource/ViewSetTemplate/dicom', body)).json();
      expect(answer.notTaken).toEqual([]);
      expect(contentOf(answer.template)).toEqual(contentOf(template));
      const listed: Template[] = await (await other.call('/resource/ViewSetTemplate/')).json();
      expect(listed.map(({ uuid }) => uuid)).toContain(answer.template.uuid);
    } finally {
      await other.close();
    }
  });

  it('is the same template where it is there already', async () => {
    for (const template of await templates()) {
      const before = await templates();
      const answer = await (await imported(await bytesOf(await exported(template.uuid)))).json();
      expect(answer.template).toEqual(template);
      expect(await templates()).toEqual(before);
    }
  });

  it('of another program becomes a template with its boxes, teeth and modality', async () => {
    const answer = await (await imported(protocolBytes({ modality: 'PX' }))).json();
    expect(contentOf(answer.template)).toMatchObject({
      name: 'Helstatus vuxen 18 bilder',
      modality: 'PX',
      width: 600,
      height: 400,
      viewSetItems: [
        { itemIndex: 0, order: 1, xPos: 150, yPos: 0, width: 150, height: 200, teeth: [18, 17], description: 'Molar' },
        { itemIndex: 1, order: 2, xPos: 300, yPos: 0, width: 300, height: 200, teeth: [], description: null },
        { itemIndex: 2, order: 3, xPos: 0, yPos: 200, width: 150, height: 200, teeth: [55, 85], description: null },
      ],
    });
  });

  it.each([
    ['text', Buffer.from('no DICOM at all'), 'not-dicom'],
    ['a mount', displayFile(), 'other-object'],
    ['a part of a file', protocolBytes().subarray(0, 900), 'damaged'],
    ['a protocol without boxes', protocolBytes({ slots: [] }), 'no-slots'],
    [
      'a protocol of too many boxes',
      protocolBytes({
        slots: Array.from({ length: 101 }, (_, index) => ({
          place: { left: index / 101, right: (index + 1) / 101, top: 0, bottom: 1 },
          label: null,
          teeth: [],
        })),
      }),
      'too-many-slots',
    ],
  ])('%s is rejected, and the error says why', async (_, file, problem) => {
    const reply = await imported(file);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      code: 'invalid-request',
      errors: [{ fieldKey: 'file', vars: { problem } }],
    });
  });

  it('is neither exported nor imported for a clinic of others', async () => {
    const { otherDoctorId, otherCustomerId } = bench.clinics;
    const own = await rotated();
    await expectProblem(await exported(own.uuid, otherDoctorId), 404, 'not-found');
    await expectProblem(await imported(protocolBytes(), otherCustomerId), 404, 'not-found');
  });

  it('in an import of images is rejected and named as what it is', async () => {
    const importing = clinicImport(bench);
    const id = await importing.begin({ 'protocol.dcm': protocolBytes(), 'image.dcm': smallObject() });
    const task = await bench.parse(id);
    expect(task.files.map(({ fileName, problem }) => [fileName, problem]).toSorted()).toEqual([
      ['image.dcm', null],
      ['protocol.dcm', 'hanging-protocol'],
    ]);
  });
});
