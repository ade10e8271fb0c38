import { z } from 'zod';
import { aeTitle } from '../../contract/dicom-devices.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';
import { StartupError } from '../startup-error.ts';

export interface GatewayTls {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Authority of the certificates that devices must have; null: they need none. */
  readonly authorityFile: string | null;
}

/** Where the archive accepts associations. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: GatewayTls | null;
}

export interface GatewaySettings {
  readonly aeTitle: string;
  /** Also for calls to devices. */
  readonly tls: GatewayTls | null;
  /** Null: the archive accepts no associations. */
  readonly listen: GatewayAddress | null;
}

export const gatewayVariables = {
  port: {
    variable: 'DENTARIUM_DICOM_PORT',
    schema: z.coerce.number().int().min(1).max(65_535).optional(),
    description: 'port on which DICOM devices connect, often `104` or `11112`. Without it none can',
  },
  host: {
    variable: 'DENTARIUM_DICOM_HOST',
    schema: z.string(),
    default: '0.0.0.0',
    description: 'address on which DICOM devices connect; by default every IPv4 address of this machine',
  },
  aeTitle: {
    variable: 'DENTARIUM_DICOM_AE_TITLE',
    schema: aeTitle,
    default: 'DENTARIUM',
    description: 'AE title of the archive, by which devices call it and it calls them; at most 16 characters',
  },
  tlsCertificate: {
    variable: 'DENTARIUM_DICOM_TLS_CERTIFICATE_FILE',
    schema: z.string().optional(),
    description:
      'certificate of the archive with its chain (PEM): devices connect by TLS only, and are called with it where they are listed so',
  },
  tlsKey: {
    variable: 'DENTARIUM_DICOM_TLS_KEY_FILE',
    schema: z.string().optional(),
    description: 'private key of this certificate (PEM)',
  },
  tlsAuthority: {
    variable: 'DENTARIUM_DICOM_TLS_CA_FILE',
    schema: z.string().optional(),
    description:
      'certificates of the authority (PEM) that must have issued the certificate of each device that connects or is called by TLS',
  },
} satisfies Settings;

type Values = ReturnType<typeof valuesOf>;
const valuesOf = (environment: Environment) => readSettings(environment, gatewayVariables);

const tlsOf = ({ tlsCertificate, tlsKey, tlsAuthority }: Values): GatewayTls | null => {
  const { tlsCertificate: certificate, tlsKey: key } = gatewayVariables;
  if (tlsCertificate !== undefined && tlsKey !== undefined)
    return { certificateFile: tlsCertificate, keyFile: tlsKey, authorityFile: tlsAuthority ?? null };
  if (tlsCertificate !== undefined) throw new StartupError(`Setting ${certificate.variable}: needs ${key.variable}`);
  if (tlsKey !== undefined || tlsAuthority !== undefined)
    throw new StartupError(`Setting ${key.variable}: needs ${certificate.variable}`);
  return null;
};

/** Reads the settings of DICOM on the network. @throws StartupError */
export const readGatewaySettings = (environment: Environment): GatewaySettings => {
  const values = valuesOf(environment);
  const { aeTitle: title, host, port } = values;
  const tls = tlsOf(values);
  return { aeTitle: title, tls, listen: port === undefined ? null : { host, port, tls } };
};
