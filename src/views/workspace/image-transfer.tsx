import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef, useState } from 'react';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Pointer } from '../ui/use-drag.ts';

/** An image that was cut in a mount. */
export interface CutImage {
  readonly image: ImageInfo;
  readonly viewsetId: string;
  readonly mountName: string;
  /** Its slot; null: the tray. */
  readonly from: number | null;
}

/** Moves images between the mounts and lists of one patient. */
interface ImageTransfer {
  readonly cut: CutImage | null;
  readonly setCut: (cut: CutImage | null) => void;
  /** Drags an image of a list into the mount; null while no mount is shown. */
  readonly dragIntoMount: RefObject<((image: ImageInfo, pointer: Pointer) => void) | null>;
}

const ImageTransferContext = createContext<ImageTransfer | null>(null);

/** Keeps the cut image while the user opens another mount of the patient. */
export const ImageTransferProvider = ({ children }: { children: ReactNode }) => {
  const [cut, setCut] = useState<CutImage | null>(null);
  const dragIntoMount: ImageTransfer['dragIntoMount'] = useRef(null);
  const transfer = useMemo(() => ({ cut, setCut, dragIntoMount }), [cut]);
  return <ImageTransferContext value={transfer}>{children}</ImageTransferContext>;
};

export const useImageTransfer = (): ImageTransfer => {
  const transfer = useContext(ImageTransferContext);
  if (!transfer) throw new Error('ImageTransfer is used outside its provider');
  return transfer;
};
