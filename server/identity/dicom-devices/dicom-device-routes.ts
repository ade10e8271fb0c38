import { SocketAddress } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import {
  type DicomContact,
  type DicomDevice,
  dicomContact,
  dicomDeviceCreate,
  dicomDeviceEcho,
  dicomDeviceRemove,
  dicomDevices,
  dicomDevicesAtMost,
  dicomDeviceUpdate,
} from '../../../contract/dicom-devices.ts';
import type { Schema } from '../../db/schema.ts';
import {
  type DicomDeviceRow,
  dicomDeviceById,
  dicomDevicesOf,
  insertDicomDevice,
  lockDicomDevices,
  noteDicomContact,
  removeDicomDevice,
  updateDicomDevice,
} from '../../db/stores/dicom-devices.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { type Binding, bind } from '../../route-binding.ts';
import { requireClinic } from '../customer-changes.ts';
import { ensureAdministrator } from '../ensure-administrator.ts';
import { identityLog, type OtherAction } from '../identity-log.ts';

/** Where a device accepts associations. */
export interface DicomNode {
  readonly aeTitle: string;
  readonly host: string;
  readonly port: number;
  /** It is called by TLS. */
  readonly tls: boolean;
}

/** The archive as a node of the DICOM network. */
export interface DicomUser {
  /** By which devices call the archive, and it calls them. */
  readonly aeTitle: string;
  /** Verifies the connection to a node (C-ECHO). */
  readonly echo: (node: DicomNode) => Promise<DicomContact>;
}

interface DicomDeviceDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly dicomUser: DicomUser;
}

const deviceOf = (row: DicomDeviceRow): DicomDevice => ({
  id: row.id,
  name: row.name,
  aeTitle: row.aeTitle,
  address: row.address,
  port: row.port,
  tls: row.tls,
  canRetrieve: row.canRetrieve,
  canStore: row.canStore,
  atOnce: row.atOnce,
  seesWorklist: row.seesWorklist,
  asksCommitment: row.asksCommitment,
  createdAt: row.createdAt.toISOString(),
  contactAt: row.contactAt?.toISOString() ?? null,
  contact: dicomContact.nullable().parse(row.contact),
});

/** Writes an address as the system writes that of a peer. */
const normalizedAddress = (address: string): string => {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  return new SocketAddress({ address, family }).address.replace(/^::ffff:(?=\d+\.)/, '');
};

/** Registers the routes by which administrators add, remove and verify the DICOM devices of their clinics. */
export const dicomDeviceRoutes = (
  server: FastifyInstance,
  { db, binding, dicomUser }: DicomDeviceDependencies,
): void => {
  const note = (transaction: Kysely<Schema>, { accountId }: Principal, action: OtherAction, device: DicomDeviceRow) =>
    identityLog(transaction).note({
      action,
      account: { id: accountId, customer: { id: device.customerId } },
      objectId: device.id,
      detail: device.name,
    });

  const requireDevice = async (from: Kysely<Schema>, named: { readonly customerId: string; readonly id: string }) => {
    const device = await dicomDeviceById(from, named);
    if (!device) throw new ProblemError('not-found');
    return device;
  };

  bind(server, binding, dicomDevices, async ({ principal, params: { customerId }, language }) => {
    await requireClinic(db, principal, customerId);
    return { aeTitle: dicomUser.aeTitle, devices: (await dicomDevicesOf(db, customerId, language)).map(deviceOf) };
  });

  bind(server, binding, dicomDeviceCreate, async ({ principal, body, language }) => {
    const { customerId } = body;
    await requireClinic(db, principal, customerId);
    return db.transaction().execute(async (transaction) => {
      await ensureAdministrator(transaction, principal);
      await lockDicomDevices(transaction);
      if ((await dicomDevicesOf(transaction, customerId, language)).length >= dicomDevicesAtMost)
        throw new ProblemError('invalid-request', [{ fieldKey: 'devices', vars: { max: dicomDevicesAtMost } }]);
      const address = normalizedAddress(body.address);
      const id = await insertDicomDevice(transaction, { ...body, address, createdBy: principal.accountId });
      if (id === null) throw new ProblemError('device-taken');
      const added = await requireDevice(transaction, { customerId, id });
      await note(transaction, principal, 'dicom-device.created', added);
      return deviceOf(added);
    });
  });

  bind(server, binding, dicomDeviceUpdate, async ({ principal, body }) => {
    await requireClinic(db, principal, body.customerId);
    return db.transaction().execute(async (transaction) => {
      await ensureAdministrator(transaction, principal);
      await lockDicomDevices(transaction);
      await requireDevice(transaction, body);
      const address = normalizedAddress(body.address);
      if (!(await updateDicomDevice(transaction, { ...body, address }))) throw new ProblemError('device-taken');
      const changed = await requireDevice(transaction, body);
      await note(transaction, principal, 'dicom-device.updated', changed);
      return deviceOf(changed);
    });
  });

  bind(server, binding, dicomDeviceRemove, async ({ principal, body }) => {
    await requireClinic(db, principal, body.customerId);
    await db.transaction().execute(async (transaction) => {
      await lockDicomDevices(transaction);
      const device = await requireDevice(transaction, body);
      await removeDicomDevice(transaction, device.id);
      await note(transaction, principal, 'dicom-device.removed', device);
    });
    return {};
  });

  bind(server, binding, dicomDeviceEcho, async ({ principal, body }) => {
    await requireClinic(db, principal, body.customerId);
    const device = await requireDevice(db, body);
    const { aeTitle, address: host, port, tls } = device;
    if (port === null) throw new ProblemError('invalid-request', [{ fieldKey: 'port' }]);
    await note(db, principal, 'dicom-device.echoed', device);
    await noteDicomContact(db, device.id, await dicomUser.echo({ aeTitle, host, port, tls }));
    return deviceOf(await requireDevice(db, body));
  });
};
