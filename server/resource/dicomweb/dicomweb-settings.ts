import { z } from 'zod';
import { readSettings } from '../../settings/read-settings.ts';
import type { Environment, Settings } from '../../settings/setting.ts';

export interface DicomWebSettings {
  /** The address that users enter; addresses in replies begin with it. */
  readonly publicUrl: string;
  /** Origins of web viewers whose pages may call. */
  readonly origins: readonly string[];
}

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
};

const origins = z.string().transform((text, context): readonly string[] => {
  const given = text.split(/[\s,]+/).filter((origin) => origin !== '');
  if (given.every(isOrigin)) return given;
  context.addIssue({
    code: 'custom',
    message: 'origins without a path, separated by commas, for example https://viewer.clinic.example',
  });
  return z.NEVER;
});

export const dicomWebVariables = {
  origins: {
    variable: 'DENTARIUM_DICOMWEB_ORIGINS',
    schema: origins,
    default: '',
    defaultNote: 'none',
    description:
      'origins of web viewers on other addresses that may call DICOMweb, separated by commas, such as `https://viewer.clinic.example`. See [DICOMweb](dicomweb.md#web-viewers)',
  },
} satisfies Settings;

/** Reads the origins of web viewers. @throws StartupError */
export const readDicomWebOrigins = (environment: Environment): readonly string[] =>
  readSettings(environment, dicomWebVariables).origins;
