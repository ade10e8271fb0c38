import { once } from 'node:events';
import { connect } from 'node:net';
import { dicomDeviceCreate } from '../../contract/dicom-devices.ts';
import { patientCreate } from '../../contract/patients.ts';
import { freePort } from '../../tests/free-port.ts';
import { requestJson } from '../import/http.ts';
import { startOwnServer } from '../own-server.ts';
import { type BenchProvider, senderTitle } from './provider.ts';

type Found = readonly { readonly '00201208'?: { readonly Value?: readonly number[] } }[];

/** Waits until the process for devices listens. */
const listens = async (port: number): Promise<void> => {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** The program as it runs in a clinic, with the process for devices. Images of the bench are imported without asking. */
export const startOurs = async (dataFolder: string): Promise<BenchProvider> => {
  const dicomPort = await freePort();
  const environment = { DENTARIUM_DICOM_PORT: String(dicomPort), DENTARIUM_DICOM_HOST: '127.0.0.1' };
  const { url, customerId, signIn, rest, close } = await startOwnServer({
    dataFolder,
    port: await freePort(),
    args: ['--dicom'],
    environment,
  });
  const post = async (path: string, body: object) => {
    await requestJson('POST', `${url}${path}`, await signIn(), body);
  };
  await post(dicomDeviceCreate.path, {
    customerId,
    name: 'Bench',
    aeTitle: senderTitle,
    address: '127.0.0.1',
    port: null,
    canRetrieve: false,
    canStore: true,
    atOnce: true,
  });
  await listens(dicomPort);
  return {
    name: 'ours',
    aeTitle: 'DENTARIUM',
    dicomPort,
    expect: (run) =>
      post(patientCreate.path, {
        customerId,
        firstName: 'Import',
        lastName: 'Bench',
        personalNumber: run,
        birthDate: `${run.slice(0, 4)}-${run.slice(4, 6)}-${run.slice(6, 8)}`,
        sex: null,
        comments: null,
      }),
    indexed: async (studyUid) => {
      const search = `${url}/dicomweb/${customerId}/studies?StudyInstanceUID=${studyUid}`;
      const [study] = await requestJson<Found>('GET', search, await signIn());
      return study?.['00201208']?.Value?.[0] ?? 0;
    },
    rest,
    close,
  };
};
