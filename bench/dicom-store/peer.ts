import { freePort } from '../../tests/free-port.ts';
import { requestJson } from '../import/http.ts';
import { startOrthanc } from '../import/orthanc.ts';
import { type BenchProvider, senderTitle } from './provider.ts';

const aeTitle = 'ORTHANC';

/** Orthanc, which indexes an image before it answers. */
export const startPeer = async (folder: string): Promise<BenchProvider> => {
  const dicomPort = await freePort();
  const { url, rest, close } = await startOrthanc(folder, await freePort(), {
    DicomServerEnabled: true,
    DicomAet: aeTitle,
    DicomPort: dicomPort,
    DicomModalities: { bench: [senderTitle, '127.0.0.1', 1] },
  });
  return {
    name: 'Orthanc',
    aeTitle,
    dicomPort,
    expect: async () => undefined,
    indexed: async (studyUid) => {
      const query = { Level: 'Instance', Query: { StudyInstanceUID: studyUid } };
      return (await requestJson<unknown[]>('POST', `${url}/tools/find`, {}, query)).length;
    },
    rest,
    close,
  };
};
