import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ImageInfo } from '../../../contract/images.ts';
import { type Drag, type Pointer, type Target, useDrag } from '../ui/use-drag.ts';
import type { Dragged } from './viewset/mount-actions.ts';

/** An image that was cut, or dropped on a mount of the list. */
export interface CutImage {
  readonly image: ImageInfo;
  /** Its mount; null: from the list while no mount was shown. */
  readonly source: { readonly viewsetId: string; readonly name: string } | null;
  /** Its slot; null: the tray or the list. */
  readonly from: number | null;
  /** The mount that takes it as soon as it is shown; null: the user pastes it. */
  readonly into: string | null;
}

/** What the shown content does with dragged images. */
export interface ImageDrops {
  /** Returns the slot of the shown mount that holds an image; null when there is none. */
  readonly slotOf: (imageUid: string) => number | null;
  readonly accepts: (what: Dragged, target: Target) => boolean;
  readonly onDrop: (what: Dragged, target: Target) => void;
}

/** Moves images between the mounts and lists of one patient. */
interface ImageTransfer {
  readonly cut: CutImage | null;
  readonly setCut: (cut: CutImage | null) => void;
  readonly dragFromList: (image: ImageInfo, pointer: Pointer) => void;
  /** Null while no content is shown: nothing can be dragged. */
  readonly drops: RefObject<ImageDrops | null>;
}

const ImageTransferContext = createContext<ImageTransfer | null>(null);
/** Apart, because it changes while the pointer moves. */
const ImageDragContext = createContext<Drag<Dragged> | null>(null);

/** Keeps the cut and the dragged image while the user opens another mount of the patient. */
export const ImageTransferProvider = ({ children }: { children: ReactNode }) => {
  const [cut, setCut] = useState<CutImage | null>(null);
  const drops: ImageTransfer['drops'] = useRef(null);
  const drag = useDrag<Dragged>({
    accepts: (what, target) => drops.current?.accepts(what, target) ?? false,
    onDrop: (what, target) => drops.current?.onDrop(what, target),
  });
  const { start } = drag;
  const transfer = useMemo((): ImageTransfer => {
    const dragFromList = (image: ImageInfo, pointer: Pointer) => {
      if (drops.current) start({ image, from: drops.current.slotOf(image.uid) }, pointer);
    };
    return { cut, setCut, dragFromList, drops };
  }, [cut, start]);
  return (
    <ImageTransferContext value={transfer}>
      <ImageDragContext value={drag}>{children}</ImageDragContext>
    </ImageTransferContext>
  );
};

export const useImageTransfer = (): ImageTransfer => {
  const transfer = useContext(ImageTransferContext);
  if (!transfer) throw new Error('ImageTransfer is used outside its provider');
  return transfer;
};

/** Returns the image being dragged on the patient page, and its target. */
export const useImageDrag = (): Drag<Dragged> => {
  const drag = useContext(ImageDragContext);
  if (!drag) throw new Error('ImageDrag is used outside its provider');
  return drag;
};

/** Sets what is done with dragged images while the component is rendered. */
export const useImageDrops = ({ slotOf, accepts, onDrop }: ImageDrops): void => {
  const { drops } = useImageTransfer();
  const slotNow = useEffectEvent(slotOf);
  const acceptsNow = useEffectEvent(accepts);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    drops.current = {
      slotOf: (imageUid) => slotNow(imageUid),
      accepts: (what, target) => acceptsNow(what, target),
      onDrop: (what, target) => drop(what, target),
    };
    return () => {
      drops.current = null;
    };
  }, [drops]);
};
