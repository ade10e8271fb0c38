import { type EventObject, fromCallback } from 'xstate';
import { searchHits } from '../../contract/bounds.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { patientSearchMachine } from '../machines/patient-search/patient-search.machine.ts';
import type { Found } from '../machines/patient-search/patient-search.rules.ts';
import type { Change, Outcome } from '../machines/viewer/saving.rules.ts';
import { viewerMachine } from '../machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../machines/viewset/viewset.machine.ts';
import type { Change as Hanging } from '../machines/viewset/viewset.setup.ts';
import { filled } from './filled.ts';
import { forgetSaved } from './kept-changes.ts';
import type { RoomServices } from './room-services.ts';

export const wiredPatientSearch = ({ call }: RoomServices) =>
  patientSearchMachine.provide({
    actors: {
      searchPatients: filled(async ({ clinicId, text }: { clinicId: string; text: string }, signal): Promise<Found> => {
        const body = { customerId: clinicId, q: text, page: 1, ppage: searchHits };
        const { data, totalCount, isTotalExact } = await call(patientSearchPrivate, { body, signal });
        return { hits: data, totalCount, isTotalExact };
      }),
    },
  });

export const wiredViewset = ({ viewsets }: RoomServices) => {
  const otherPort = () => Promise.reject(new Error('This operation belongs to another port'));
  return viewsetMachine.provide({
    actors: {
      openViewset: filled(({ viewsetId }: { viewsetId: string }, signal) => viewsets.open(viewsetId, signal)),
      mountImage: filled(({ viewsetId, version, operation }: Hanging, signal): Promise<Viewset> => {
        if (operation.kind !== 'mount') return otherPort();
        const { imageUid, to } = operation;
        return viewsets.mount({ viewsetUid: viewsetId, itemIndex: to, imageUid, version }, signal);
      }),
      unmountImage: filled(({ viewsetId, version, operation }: Hanging, signal): Promise<Viewset> => {
        if (operation.kind !== 'unmount') return otherPort();
        const { imageUid, from } = operation;
        return viewsets.unmount({ viewsetUid: viewsetId, itemIndex: from, imageUid, version }, signal);
      }),
      moveImage: filled(({ viewsetId, version, operation }: Hanging, signal): Promise<readonly Viewset[]> => {
        if (operation.kind !== 'move' && operation.kind !== 'move-out') return otherPort();
        const { imageUid, from: itemIndexFrom, to: itemIndexTo } = operation;
        const viewsetUidTo = operation.kind === 'move' ? viewsetId : operation.viewsetId;
        const slots = { viewsetUidFrom: viewsetId, viewsetUidTo, itemIndexFrom, itemIndexTo };
        return viewsets.move({ ...slots, imageUid, version }, signal);
      }),
      watchViewset: fromCallback<EventObject, { viewsetId: string }>(({ input, sendBack }) =>
        viewsets.watch(input.viewsetId, () => sendBack({ type: 'viewset.outdated' })),
      ),
    },
  });
};

export const wiredViewer = ({ displays, drafts }: RoomServices) => {
  const send = async (change: Change): Promise<Outcome> => {
    if (change.kind === 'display') {
      const { viewsetId, imageUid, display, version } = change;
      return { change, ...(await displays.saveDisplay({ viewsetUid: viewsetId, imageUid, display, version })) };
    }
    const { imageUid, marks, calibration, version } = change;
    return { change, ...(await displays.saveMarks({ imageUid, marks: [...marks], calibration, version })) };
  };
  const save = async (change: Change): Promise<Outcome> => {
    const outcome = await send(change);
    if ('version' in outcome) forgetSaved(drafts, change);
    return outcome;
  };
  return viewerMachine.provide({
    actors: {
      // Its signal is left alone: what a person changed last is sent although the session ends.
      saveChanges: filled((changes: readonly Change[]): Promise<readonly Outcome[]> => Promise.all(changes.map(save))),
    },
  });
};
