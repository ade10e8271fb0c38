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
import type { Drag, Place } from '../../ui/use-drag.ts';
import { type CutImage, useImageDrag, useImageTransfer } from '../image-transfer.tsx';
import { useTemplates } from '../use-templates.ts';
import {
  createMountActions,
  type Dragged,
  firstFitting,
  type MountActions,
  type MountRights,
  slotOfImage,
} from './mount-actions.ts';
import { useMountTexts } from './mount-texts.ts';
import { type PlacementHistory, usePlacementHistory } from './use-placement-history.ts';

export type FocusZone = 'mount' | 'tray';

/** State of the open viewset (selection, cut, drag) and the actions on it. */
export interface MountController extends Omit<MountActions, 'moveIn'> {
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
  readonly paste: (target: Place) => void;
  /** Returns whether an image may be moved to another mount; if not, says why. */
  readonly mayMoveOut: () => boolean;
  /** Pastes the image that was dropped on this mount in the list into the first slot that it fits; null while the slots that fit are not known. */
  readonly receive: (() => void) | null;
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
  const drag = useImageDrag();
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
  const isReceiving = viewset !== null && cut?.into === viewset.viewSetUuid;
  const needsTemplates = templateId !== null && (isReceiving || (viewset?.detachedImages.length ?? 0) > 0);
  const templates = useTemplates(needsTemplates);
  const modality =
    !needsTemplates || templates ? (templates?.find(({ uuid }) => uuid === templateId)?.modality ?? 'IO') : null;
  const actions =
    viewset &&
    createMountActions({ actor, perform, viewset, rights, modality, slot, trayImage, texts, announce, reject });
  if (!viewset || !actions) return null;
  const chooseSlot = (itemIndex: number | null) => actor.send({ type: 'slot.selected', itemIndex });
  const paste = (what: CutImage, target: Place) => {
    const { image, source, from } = what;
    const isElsewhere = source?.viewsetId !== viewset.viewSetUuid && !slotOfImage(viewset, image.uid);
    if (isElsewhere && target.kind === 'tray') return reject(texts.pasteIntoSlot);
    setCut(null);
    if (isElsewhere && target.kind === 'slot' && source && from !== null)
      actions.moveIn(
        image.uid,
        { viewsetId: source.viewsetId, mountName: source.name, itemIndex: from },
        target.itemIndex,
      );
    else actions.moveTo(what, target);
  };
  const receive = (what: CutImage, known: string) => {
    const present = slotOfImage(viewset, what.image.uid);
    const slot = present ?? firstFitting(viewset, known, what.image);
    if (!slot) {
      setCut({ ...what, into: null });
      return reject(texts.noSlotFits);
    }
    if (present) {
      setCut(null);
      announce(texts.mountedAlready(present));
    } else paste(what, { kind: 'slot', itemIndex: slot.itemIndex });
    chooseSlot(slot.itemIndex);
  };
  return {
    mount: actions.mount,
    placeAll: actions.placeAll,
    unmount: actions.unmount,
    move: actions.move,
    moveTo: actions.moveTo,
    viewset,
    slot,
    trayImage,
    trayOpen,
    setTrayOpen,
    cut,
    isCut: (imageUid) => cut?.source?.viewsetId === viewset.viewSetUuid && cut.image.uid === imageUid,
    drag,
    history,
    announcement,
    focusZone,
    announce,
    reject,
    chooseSlot,
    chooseTray: (imageUid) => actor.send({ type: 'tray.selected', imageUid }),
    setCut: (what) => {
      if (!what) return setCut(null);
      // Neither of the ways out of a slot is allowed.
      if (what.from !== null && !rights.move && !rights.unmount) return reject(texts.mayNotMove);
      setCut({ ...what, source: { viewsetId: viewset.viewSetUuid, name: viewset.name }, into: null });
      announce(texts.cut);
    },
    paste: (target) => cut && paste(cut, target),
    mayMoveOut: () => {
      if (!rights.move) reject(texts.mayNotMove);
      return rights.move;
    },
    receive: isReceiving && modality !== null ? () => receive(cut, modality) : null,
  };
};
