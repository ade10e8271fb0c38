import { useEffect, useEffectEvent } from 'react';
import type { Target } from '../../ui/use-drag.ts';
import { useImageDrops, useImageTransfer } from '../image-transfer.tsx';
import { type Dragged, slotOfImage } from './mount-actions.ts';
import type { MountController } from './use-mount-controller.ts';

interface MountDropsOptions {
  /** Null while no mount is shown. */
  readonly mount: MountController | null;
  /** Opens a mount of the list. */
  readonly onOpenMount: (viewsetId: string) => void;
}

/**
 * Drops dragged images into the shown mount, or on another mount of the list, which opens and takes the image like a pasted one.
 */
export const useMountDrops = ({ mount, onOpenMount }: MountDropsOptions): void => {
  const { cut, setCut } = useImageTransfer();
  const shownId = mount?.viewset.viewSetUuid ?? null;

  const dropOnMount = (what: Dragged, viewsetId: string) => {
    if (mount && what.from !== null && !mount.mayMoveOut()) return;
    const source = mount && { viewsetId: mount.viewset.viewSetUuid, name: mount.viewset.name };
    setCut({ ...what, source, into: viewsetId });
    if (viewsetId !== shownId) onOpenMount(viewsetId);
  };
  const accepts = ({ from }: Dragged, target: Target): boolean => {
    // An image cannot be dropped where it was dragged from.
    if (target.kind === 'mount') return from === null || target.viewsetId !== shownId;
    return target.kind === 'tray' ? from !== null : from !== target.itemIndex;
  };
  useImageDrops({
    slotOf: (imageUid) => (mount && slotOfImage(mount.viewset, imageUid)?.itemIndex) ?? null,
    accepts,
    onDrop: (what, target) => {
      if (target.kind === 'mount') dropOnMount(what, target.viewsetId);
      else mount?.moveTo(what, target);
    },
  });

  const into = cut?.into ?? null;
  const isReady = into !== shownId || mount?.receive != null;
  const receive = useEffectEvent(() => {
    if (into === shownId) mount?.receive?.();
    // The user opened another mount before that one was loaded.
    else setCut(null);
  });
  useEffect(() => {
    if (into !== null && shownId !== null && isReady) receive();
  }, [into, shownId, isReady]);
};
