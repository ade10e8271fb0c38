import type { ConnectionOptions } from 'node:tls';
import { echoNode } from '../dimse/user/echo.ts';
import type { DicomUser } from '../identity/dicom-devices/dicom-device-routes.ts';

/** Returns the archive as the user of DICOM services of other nodes. */
export const dicomUserOf = (aeTitle: string, tls: ConnectionOptions): DicomUser => ({
  aeTitle,
  echo: (node) => echoNode({ ...node, tls: node.tls ? tls : null }, aeTitle),
});
