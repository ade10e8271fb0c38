import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../../contract/images.ts';
import { teethShown, type ViewsetItem } from '../../../../contract/viewsets.ts';
import { useMissingText } from '../../language/claim-text.ts';
import { useToothText } from '../../language/tooth-notation.ts';

/** Returns texts of slots and of actions on them. */
export const useMountTexts = () => {
  const { t } = useTranslation('viewset');
  const toothText = useToothText();
  const missingText = useMissingText();
  const document = ({ width, isVideo }: ImageInfo) =>
    isVideo ? t('video') : t(width > 0 ? 'unsupportedFormat' : 'document');
  const teeth = (item: ViewsetItem) => toothText(teethShown(item));
  /** "Slot 3, teeth 14 15, empty" */
  const slotName = (item: ViewsetItem): string =>
    [
      t('slot', { number: item.order }),
      teeth(item) && t('teeth', { teeth: teeth(item) }),
      item.activeImage ? item.activeImage.kind === 'document' && document(item.activeImage) : t('empty'),
    ]
      .filter(Boolean)
      .join(', ');
  /** "Image 2, teeth 14 15" */
  const trayName = (image: ImageInfo, place: number): string =>
    [
      t('trayImage', { number: place }),
      image.teeth.length > 0 ? t('teeth', { teeth: toothText(image.teeth) }) : image.name.trim(),
      image.kind === 'document' && document(image),
    ]
      .filter(Boolean)
      .join(', ');
  return {
    teeth,
    document,
    slotName,
    trayName,
    mounted: (item: ViewsetItem) => t('mounted', { number: item.order }),
    mountedOver: (item: ViewsetItem) => t('mountedOver', { number: item.order }),
    unmounted: (item: ViewsetItem) => t('unmounted', { number: item.order }),
    moved: (from: ViewsetItem, to: ViewsetItem) => t('moved', { from: from.order, to: to.order }),
    swapped: (from: ViewsetItem, to: ViewsetItem) => t('swapped', { from: from.order, to: to.order }),
    movedIn: (mount: string, to: ViewsetItem) => t('movedIn', { mount, number: to.order }),
    swappedIn: (mount: string, to: ViewsetItem) => t('swappedIn', { mount, number: to.order }),
    cut: t('cut'),
    placementUndone: t('placementUndone'),
    placementRedone: t('placementRedone'),
    placementChanged: t('placementChanged'),
    pasteIntoSlot: t('pasteIntoSlot'),
    chooseSlot: t('chooseSlot'),
    placed: (count: number, left: number) =>
      [t('placed', { count }), left > 0 && t('placedLeft', { count: left })].filter(Boolean).join(' '),
    noneFits: t('noneFits'),
    noFreeSlot: t('noFreeSlot'),
    noSlotFits: t('noSlotFits'),
    mountedAlready: (item: ViewsetItem) => t('mountedAlready', { number: item.order }),
    noSuchSlot: (number: number) => t('noSuchSlot', { number }),
    emptyTray: t('trayEmpty'),
    mayNotUnmount: `${t('noDetachRight')}. ${missingText(['disable.detach_image'])}`,
    mayNotMove: `${t('noMoveRight')}. ${missingText(['disable.move_view_set'])}`,
  };
};

export type MountTexts = ReturnType<typeof useMountTexts>;
