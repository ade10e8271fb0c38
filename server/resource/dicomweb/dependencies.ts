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

/** Returns the path of a study, series or instance below the address of a clinic. Some devices write UIDs that have to be encoded. */
export const placeOf = (studyUid: string, seriesUid?: string | null, instanceUid?: string | null): string =>
  [`/studies/${encodeURIComponent(studyUid)}`]
    .concat(seriesUid ? `/series/${encodeURIComponent(seriesUid)}` : [])
    .concat(instanceUid ? `/instances/${encodeURIComponent(instanceUid)}` : [])
    .join('');
