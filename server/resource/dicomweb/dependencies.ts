import type { ResourceDependencies } from '../dependencies.ts';
import type { DicomWebSettings } from './dicomweb-settings.ts';

export interface DicomWebDependencies
  extends Pick<
    ResourceDependencies,
    'db' | 'binding' | 'files' | 'fileErrors' | 'accessLog' | 'thumbnails' | 'storedImaging'
  > {
  readonly dicomWeb: DicomWebSettings;
}

/** Returns the address of the services of a clinic. */
export const rootOf = ({ dicomWeb }: Pick<DicomWebDependencies, 'dicomWeb'>, clinic: string): string =>
  `${dicomWeb.publicUrl}/dicomweb/${clinic}`;
