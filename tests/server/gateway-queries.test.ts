import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { connect } from '../../server/db/client.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { studyRoot } from '../../server/dimse/provider/supported-syntaxes.ts';
import { echoNode } from '../../server/dimse/user/echo.ts';
import { AssociationRejected } from '../../server/dimse/user/open-association.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import {
  type GatewayUnderTest,
  gatewayUnderTest,
  identifierOf,
  type Keys,
  moveToClinic,
} from './gateway-under-test.ts';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let deviceId: string;
const [own, other, hidden] = ['2.25.101', '2.25.102', '2.25.103'];

beforeAll(async () => {
  archive = await archiveUnderTest();
  gateway = await gatewayUnderTest(archive);
  const { otherCustomerId } = archive.clinics;
  const mine = dicomWebOf(archive);
  await mine.addPatient({ firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234' }, [
    objectAt(own, { PatientID: '19800101-1234' }),
    objectAt(own, { PatientID: '19800101-1234' }, 2),
  ]);
  const hiddenId = await mine.addPatient({ personalNumber: '19900909-1111', lastName: 'Skyddad' }, [
    objectAt(hidden, { PatientID: '19900909-1111' }),
  ]);
  await archive.db.updateTable('patient').set({ has_protected_identity: true }).where('id', '=', hiddenId).execute();
  const otherId = await mine.addPatient({ personalNumber: '19700707-2222', lastName: 'Annan' }, [
    objectAt(other, { PatientID: '19700707-2222' }),
  ]);
  await moveToClinic(archive.db, otherId, otherCustomerId);
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_device').execute();
  deviceId = await gateway.addDevice();
});

const entriesOf = (accountId: string) =>
  archive.db.selectFrom('access_log').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
const study = { '00080052': 'STUDY', '0020000D': '', '00100010': '', '00100020': '', '00081030': '', '00201208': '' };
const valuesOf = ({ answers }: Awaited<ReturnType<GatewayUnderTest['find']>>, tag: string) =>
  answers.slice(0, -1).map(({ dataSet }) => dataSet?.[tag]?.Value?.[0]);

describe('callers', () => {
  it.each([
    ['another title', { aeTitle: 'OTHER' }, { result: 1, source: 1, reason: 3 }],
    ['another title of the archive', { calledAeTitle: 'ORTHANC' }, { result: 1, source: 1, reason: 7 }],
  ])('are refused with %s, which is logged once a minute', async (_, options, rejection) => {
    const refused = () =>
      archive.db.selectFrom('access_log').selectAll().where('action', '=', 'dicom-device.refused').execute();
    for (let count = 0; count < 3; count += 1)
      await expect(gateway.open(options)).rejects.toMatchObject({ rejection, constructor: AssociationRejected });
    const entries = await refused();
    expect(entries).toMatchObject([{ account_id: null, customer_id: null, address: '127.0.0.1' }]);
  });

  it('are refused from another address, and once they are removed', async () => {
    await gateway.addDevice({ aeTitle: 'FAR', address: '192.0.2.7' });
    await expect(gateway.open({ aeTitle: 'FAR' })).rejects.toThrow('rejected');
    await archive.db.updateTable('dicom_device').set({ removed_at: new Date() }).where('id', '=', deviceId).execute();
    await expect(gateway.open()).rejects.toThrow('rejected');
  });

  it('are disconnected at their next request once they are removed', async () => {
    const association = await gateway.open();
    const ask = () =>
      gateway.ask(association, studyRoot.find, { commandField: commandFields.findRequest }, identifierOf(study, false));
    expect((await ask()).last.status).toBe(0);
    await archive.db.updateTable('dicom_device').set({ removed_at: new Date() }).where('id', '=', deviceId).execute();
    await expect(ask()).rejects.toThrow('aborted');
    expect(gateway.failures).toEqual([]);
  });

  it('are refused when their clinic is deleted', async () => {
    const { otherCustomerId } = archive.clinics;
    await gateway.addDevice({ aeTitle: 'CLOSED', customerId: otherCustomerId });
    const close = (deleted_at: Date | null) =>
      archive.db.updateTable('customer').set({ deleted_at }).where('id', '=', otherCustomerId).execute();
    await close(new Date());
    await expect(gateway.open({ aeTitle: 'CLOSED' })).rejects.toThrow('rejected');
    await close(null);
    await (await gateway.open({ aeTitle: 'CLOSED' })).release();
  });

  it('are rejected for a while when the database is not available', async () => {
    const { db, close } = connect({ connectionString: `postgres://127.0.0.1:${await freePort()}/none` });
    const other = await gatewayUnderTest(archive, { db });
    onTestFinished(async () => {
      await other.close();
      await close();
    });
    await expect(other.open()).rejects.toMatchObject({ rejection: { result: 2, source: 3, reason: 1 } });
    expect(other.failures).toMatchObject([{ name: 'DatabaseUnavailable' }]);
  });

  it('that are listed are logged with their address, and their contact is noted', async () => {
    expect(await echoNode({ host: '127.0.0.1', port: gateway.port, aeTitle: 'DENTARIUM' }, 'PACS')).toBe('answered');
    const { customerId } = archive.clinics;
    expect(await entriesOf(deviceId)).toMatchObject([
      {
        action: 'dicom-device.connected',
        customer_id: customerId,
        object_id: deviceId,
        address: '127.0.0.1',
        patient_id: null,
      },
    ]);
    const row = await archive.db.selectFrom('dicom_device').selectAll().where('id', '=', deviceId).executeTakeFirst();
    expect(row).toMatchObject({ contact: 'connected', contact_at: expect.any(Date) });
  });

  it('without the right to search are offered the test of the connection only, and none may store', async () => {
    await gateway.addDevice({ aeTitle: 'UNIT', canRetrieve: false });
    expect((await gateway.open({ aeTitle: 'UNIT' })).contexts.size).toBe(0);
    const sopClass = '1.2.840.10008.5.1.4.1.1.1.1';
    const association = await gateway.open({ stored: [[sopClass, [transferSyntaxes.explicitLittleEndian]]] });
    const id = [...association.contexts.values()].find(({ abstractSyntax }) => abstractSyntax === sopClass)?.id ?? 0;
    await association.send(id, {
      commandField: commandFields.storeRequest,
      affectedSopClassUid: sopClass,
      messageId: 1,
    });
    expect((await association.receive())?.command.status).toBe(statuses.unrecognizedOperation);
    association.abort();
  });
});

describe('a query', () => {
  it.each([transferSyntaxes.implicitLittleEndian, transferSyntaxes.explicitLittleEndian])(
    'returns the requested attributes of studies of the clinic (%s)',
    async (syntax) => {
      const found = await gateway.find({ ...study, '00081110': '', '00280010': '' }, { syntax });
      expect(found.answers.map(({ command }) => command.status)).toEqual([statuses.pending, statuses.success]);
      const [{ dataSet } = { dataSet: null }] = found.answers;
      expect(dataSet).toEqual({
        '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
        '00080052': { vr: 'CS', Value: ['STUDY'] },
        '00080054': { vr: 'AE', Value: ['DENTARIUM'] },
        '00081030': { vr: 'LO', Value: ['Check-up'] },
        '00081110': { vr: 'SQ' },
        '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Lindström^Åsa' }] },
        '00100020': { vr: 'LO', Value: ['19800101-1234'] },
        '0020000D': { vr: 'UI', Value: [`${own}.1`] },
        '00201208': { vr: 'IS', Value: [2] },
        '00280010': { vr: 'US' },
      });
    },
  );

  it('finds by name in the character set of the identifier, by number and by date', async () => {
    const matching: Keys[] = [{ '00100010': 'lindström*' }, { '00100020': '198001011234' }];
    for (const keys of [...matching, { '00080020': '20260301-20260331' }])
      expect(valuesOf(await gateway.find({ ...study, ...keys }), '0020000D')).toEqual([`${own}.1`]);
    const others: Keys[] = [{ '00100010': 'Lindstrøm^Bo' }, { '00100020': '7' }, { '00080020': '20260401-' }];
    for (const keys of others) expect((await gateway.find({ ...study, ...keys })).answers).toHaveLength(1);
  });

  it('finds series and images below their unique keys', async () => {
    const series = { '00080052': 'SERIES', '0020000D': `${own}.1`, '0020000E': '', '00201209': '' };
    expect(valuesOf(await gateway.find(series), '0020000E')).toEqual([`${own}.1.1`]);
    const images = {
      '00080052': 'IMAGE',
      '0020000D': `${own}.1`,
      '0020000E': `${own}.1.1`,
      '00080018': '',
      '00280010': '',
    };
    const found = await gateway.find(images);
    expect(valuesOf(found, '00080018')).toEqual([`${own}.1.1.1`, `${own}.1.1.2`]);
    expect(valuesOf(found, '00280010')).toEqual([6, 6]);
  });

  it('says that a key was not matched', async () => {
    const { answers } = await gateway.find({ ...study, '00080070': 'Planmeca' });
    expect(answers[0]?.command.status).toBe(statuses.pendingWithoutKeys);
    expect(answers[0]?.dataSet?.['00080070']).toEqual({ vr: 'LO' });
  });

  it.each([
    ['another level', { '00080052': 'PATIENT' }],
    ['no level', { '0020000D': '' }],
    ['series without their study', { '00080052': 'SERIES', '0020000E': '' }],
    ['images without their series', { '00080052': 'IMAGE', '0020000D': `${own}.1` }],
    ['NUL in a value', { '00080052': 'STUDY', '00100010': 'A\0B' }],
    ['a date that is none', { '00080052': 'STUDY', '00080020': '2026' }],
  ])('is refused for %s', async (_, keys) => {
    const { answers, last } = await gateway.find(keys as never);
    expect([answers.length, last.status]).toEqual([1, statuses.dataSetDoesNotMatch]);
    expect(gateway.failures).toEqual([]);
  });

  it('is refused when its identifier is malformed or too long', async () => {
    const association = await gateway.open();
    const send = (bytes: Buffer) =>
      gateway.ask(association, studyRoot.find, { commandField: commandFields.findRequest }, bytes);
    expect((await send(Buffer.from('no data set at all'))).last.status).toBe(statuses.dataSetDoesNotMatch);
    const long = identifierOf({ ...study, '00081030': 'x'.repeat(70_000) }, false);
    expect((await send(long)).last.status).toBe(statuses.outOfResources);
    expect((await send(identifierOf(study, false))).last.status).toBe(statuses.success);
    await association.release();
  });

  it('can be cancelled, and the association goes on', async () => {
    const association = await gateway.open();
    const [context] = association.contexts.values();
    const cancel = () =>
      association.send(context?.id ?? 0, { commandField: commandFields.cancelRequest, respondedMessageId: 7 });
    const command = { commandField: commandFields.findRequest };
    // The identifier ends the request, so that the cancellation is there when the first response is made.
    const images = identifierOf({ '00080052': 'IMAGE', '0020000D': `${own}.1`, '0020000E': `${own}.1.1` }, false);
    await association.send(
      context?.id ?? 0,
      { ...command, affectedSopClassUid: studyRoot.find, messageId: 7 },
      (async function* () {
        yield images;
      })(),
    );
    await cancel();
    const seen: (number | undefined)[] = [];
    for (let status: number | undefined = statuses.pending; status === statuses.pending; seen.push(status))
      status = (await association.receive())?.command.status;
    expect([statuses.cancelled, statuses.success]).toContain(seen.at(-1));
    expect((await gateway.ask(association, studyRoot.find, command, identifierOf(study, false))).last.status).toBe(0);
    await association.release();
  });

  it('logs every study that it finds, as accessed by the device', async () => {
    await gateway.find(study);
    const row = await archive.db
      .selectFrom('study')
      .selectAll()
      .where('uid', '=', `${own}.1`)
      .executeTakeFirstOrThrow();
    const { customerId } = archive.clinics;
    expect((await entriesOf(deviceId)).slice(1)).toMatchObject([
      { action: 'study.listed', object_id: row.id, patient_id: row.patient_id, customer_id: customerId },
    ]);
  });
});

describe('what a device does not find', () => {
  it('is what another clinic has, also by its UID', async () => {
    for (const keys of [study, { ...study, '0020000D': `${other}.1` }, { ...study, '00100010': 'Annan*' }])
      expect(valuesOf(await gateway.find(keys), '0020000D')).not.toContain(`${other}.1`);
    await gateway.addDevice({ aeTitle: 'THEIRS', customerId: archive.clinics.otherCustomerId });
    expect(valuesOf(await gateway.find(study, { aeTitle: 'THEIRS' }), '0020000D')).toEqual([`${other}.1`]);
    const below = { '00080052': 'SERIES', '0020000D': `${own}.1`, '0020000E': '' };
    expect((await gateway.find(below, { aeTitle: 'THEIRS' })).answers).toHaveLength(1);
  });

  it('is a patient with protected identity, unless named by number or UID, as in DICOMweb', async () => {
    expect(valuesOf(await gateway.find({ ...study, '00100010': 'Skydd*' }), '0020000D')).toEqual([]);
    for (const keys of [{ '00100020': '19900909-1111' }, { '0020000D': `${hidden}.1` }])
      expect(valuesOf(await gateway.find({ ...study, ...keys }), '0020000D')).toEqual([`${hidden}.1`]);
  });
});
