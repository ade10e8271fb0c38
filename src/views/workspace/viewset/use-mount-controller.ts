import { useSelector } from '@xstate/react';
import { type RefObject, useRef, useState } from 'react';
import type { Viewset } from '../../../../contract/viewsets.ts';
import {
  selectSelectedSlot,
  selectSelectedTrayImage,
  selectShownViewset,
  type ViewsetActor,
} from '../../../machines/viewset/viewset.machine.ts';
import { useStoredFlag } from '../../ui/stored-state.ts';
import { type Drag, type Target, useDrag } from '../../ui/use-drag.ts';
import { type CutImage, useImageTransfer } from '../image-transfer.tsx';
import { useTemplates } from '../use-templates.ts';
import { createMountActions, type Dragged, type MountActions, type MountRights, slotOfImage } from './mount-actions.ts';
import { useMountTexts } from './mount-texts.ts';
import { type PlacementHistory, usePlacementHistory } from './use-placement-history.ts';

export type FocusZone = 'mount' | 'tray';

/** State of the open viewset (selection, cut, drag) and the actions on it. */
export interface MountController extends Omit<MountActions, 'moveTo' | 'moveIn'> {
  readonly viewset: Viewset;
  /** Index of the selected slot. */
  readonly slot: number | null;
  /** UID of the selected tray image. */
  readonly trayImage: string | null;
  readonly trayOpen: boolean;
  readonly setTrayOpen: (open: boolean) => void;
  /** The image that `paste` moves; it may be of another mount. */
  readonly cut: CutImage | null;
  /** Returns whether an image of this mount is cut. */
  readonly isCut: (imageUid: string) => boolean;
  readonly drag: Drag<Dragged>;
  readonly history: Omit<PlacementHistory, 'perform'>;
  /** The last action, announced to screen readers. */
  readonly announcement: string;
  /** Zone that last had the keyboard focus; restored when the focused element is removed. */
  readonly focusZone: RefObject<FocusZone>;
  readonly announce: (text: string) => void;
  readonly chooseSlot: (itemIndex: number | null) => void;
  readonly chooseTray: (imageUid: string | null) => void;
  /** Announces an action that was not done, and shows why. */
  readonly reject: (text: string) => void;
  /** Sets the image that `paste` moves; null clears it. */
  readonly setCut: (what: Dragged | null) => void;
  readonly paste: (target: Target) => void;
}

interface MountControllerOptions {
  readonly actor: ViewsetActor;
  readonly rights: MountRights;
  /** Shows why an action was not done. */
  readonly onRejected: (text: string) => void;
}

/** Returns the controller of the open viewset; null while none is open. */
export const useMountController = ({ actor, rights, onRejected }: MountControllerOptions): MountController | null => {
  const texts = useMountTexts();
  const viewset = useSelector(actor, selectShownViewset);
  const slot = useSelector(actor, selectSelectedSlot);
  const trayImage = useSelector(actor, selectSelectedTrayImage);
  const [trayOpen, setTrayOpen] = useStoredFlag('dentarium.tray', true);
  const { cut, setCut } = useImageTransfer();
  const [announcement, setAnnouncement] = useState('');
  const focusZone = useRef<FocusZone>('mount');

  // A trailing space makes screen readers repeat the same text.
  const announce = (text: string) => setAnnouncement((before) => (before === text ? `${text} ` : text));
  const reject = (text: string) => {
    announce(text);
    onRejected(text);
  };
  const history = usePlacementHistory({
    actor,
    viewset,
    rights,
    onUndone: () => announce(texts.placementUndone),
    onRedone: () => announce(texts.placementRedone),
    onImpossible: () => reject(texts.placementChanged),
  });
  const { perform } = history;
  const templateId = viewset?.templateUUID ?? null;
  const needsTemplates = templateId !== null && (viewset?.detachedImages.length ?? 0) > 0;
  const templates = useTemplates(needsTemplates);
  const modality =
    !needsTemplates || templates ? (templates?.find(({ uuid }) => uuid === templateId)?.modality ?? 'IO') : null;
  const actions =
    viewset &&
    createMountActions({ actor, perform, viewset, rights, modality, slot, trayImage, texts, announce, reject });
  const drag = useDrag<Dragged>({
    // An image cannot be dropped where it was dragged from.
    accepts: (what, target) => (target.kind === 'tray' ? what.from !== null : what.from !== target.itemIndex),
    onDrop: (what, target) => actions?.moveTo(what, target),
  });
  if (!viewset || !actions) return null;
  return {
    mount: actions.mount,
    placeAll: actions.placeAll,
    unmount: actions.unmount,
    move: actions.move,
    viewset,
    slot,
    trayImage,
    trayOpen,
    setTrayOpen,
    cut,
    isCut: (imageUid) => cut?.viewsetId === viewset.viewSetUuid && cut.image.uid === imageUid,
    drag,
    history,
    announcement,
    focusZone,
    announce,
    reject,
    chooseSlot: (itemIndex) => actor.send({ type: 'slot.selected', itemIndex }),
    chooseTray: (imageUid) => actor.send({ type: 'tray.selected', imageUid }),
    setCut: (what) => {
      if (!what) return setCut(null);
      // Neither of the ways out of a slot is allowed.
      if (what.from !== null && !rights.move && !rights.unmount) return reject(texts.mayNotMove);
      setCut({ ...what, viewsetId: viewset.viewSetUuid, mountName: viewset.name });
      announce(texts.cut);
    },
    paste: (target) => {
      if (!cut) return;
      const isElsewhere = cut.viewsetId !== viewset.viewSetUuid && !slotOfImage(viewset, cut.image.uid);
      if (isElsewhere && target.kind === 'tray') return reject(texts.pasteIntoSlot);
      setCut(null);
      if (isElsewhere && target.kind === 'slot' && cut.from !== null)
        actions.moveIn(cut.image.uid, { ...cut, itemIndex: cut.from }, target.itemIndex);
      else actions.moveTo(cut, target);
    },
  };
};
