import type { ConnectionOptions } from 'node:tls';
import type { DicomDeviceRow } from '../db/stores/dicom-devices.ts';
import type { Node } from '../dimse/user/open-association.ts';

/** Returns where a device accepts associations, with `tls` where it is called by TLS; null when it accepts none. */
export const nodeOf = (
  { address: host, port, aeTitle, tls: byTls }: Pick<DicomDeviceRow, 'address' | 'port' | 'aeTitle' | 'tls'>,
  tls: ConnectionOptions,
): Node | null => (port === null ? null : { host, port, aeTitle, tls: byTls ? tls : null });
