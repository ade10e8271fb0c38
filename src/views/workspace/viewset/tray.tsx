import { Button } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs';
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs';
import { type RefCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../../contract/images.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import type { Pointer } from '../../ui/use-drag.ts';
import { useDragStart, useStripTouchScroll } from '../../ui/use-drag-start.ts';
import { useKeyText } from '../viewer/shortcuts.ts';
import { useMountTexts } from './mount-texts.ts';
import classes from './tray.module.css';
import type { MountController } from './use-mount-controller.ts';

interface TrayImageProps {
  readonly image: ImageInfo;
  /** Position in the tray, from 1. */
  readonly number: number;
  readonly selected: boolean;
  readonly reachable: boolean;
  readonly cut: boolean;
  readonly element: RefCallback<HTMLElement>;
  readonly onChoose: () => void;
  readonly onOpen: () => void;
  readonly onDragStart: (pointer: Pointer) => void;
}

const TrayImage = (props: TrayImageProps) => {
  const { image, number, selected, reachable, cut, element, onChoose, onOpen, onDragStart } = props;
  const { t } = useTranslation('viewset');
  const texts = useMountTexts();
  const pickUp = useDragStart(onDragStart);
  const errorText = useFileErrorText()(image.storageFault);
  const name = [texts.trayName(image, number), errorText].filter(Boolean).join(', ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys of the tray are handled in one place (use-mount-keys.ts).
    <div
      ref={element}
      role="option"
      aria-label={name}
      aria-selected={selected}
      tabIndex={reachable ? 0 : -1}
      title={name}
      className={classes.image}
      data-cut={cut || undefined}
      onFocus={selected ? undefined : onChoose}
      onClick={onChoose}
      onDoubleClick={onOpen}
      onPointerDown={pickUp.onPointerDown}
    >
      {image.activeImageThumbLink === 'error' && errorText === null ? (
        <span className={classes.failed}>{t('thumbnailFailed')}</span>
      ) : (
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.isVideo ? 'video' : image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: texts.document(image) }}
          errorText={errorText}
          rotation={image.display?.rotation ?? 0}
          flipped={image.display?.horizontalFlip ?? false}
        />
      )}
      <span className={classes.number}>{number}</span>
    </div>
  );
};

interface TrayProps {
  readonly controller: MountController;
  readonly onOpen: (imageUid: string) => void;
}

/** The unmounted images of the viewset as a film strip. Dropping an image here unmounts it. */
export const Tray = ({ controller, onOpen }: TrayProps) => {
  const { t } = useTranslation('viewset');
  const keyText = useKeyText();
  const { viewset, trayImage, trayOpen: open, setTrayOpen, focusZone, drag } = controller;
  const [strip, setStrip] = useState<HTMLElement | null>(null);
  const images = useRef(new Map<string, HTMLElement>());
  const tray = viewset.detachedImages;
  useStripTouchScroll(strip, tray.length);
  const reachable = tray.some(({ uid }) => uid === trayImage) ? trayImage : (tray[0]?.uid ?? null);

  useEffect(() => {
    if (!trayImage || !strip) return;
    const element = images.current.get(trayImage);
    element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    // Mounting an image removed the focused element, so the next image takes the focus.
    const active = document.activeElement;
    const isHere = strip.contains(active) || (active === document.body && focusZone.current === 'tray');
    if (isHere) element?.focus({ preventScroll: true });
  }, [trayImage, strip, focusZone]);

  const takes = drag.dragged !== null && drag.dragged.from !== null;
  return (
    <section
      className={classes.tray}
      aria-label={t('tray')}
      data-drop-tray
      data-chrome
      data-open={open && tray.length > 0}
      data-takes={takes || undefined}
      data-target={drag.target?.kind === 'tray' || undefined}
    >
      <div className={classes.bar}>
        <h2 className={classes.title}>{t('tray')}</h2>
        <span className={classes.count}>{t('trayCount', { count: tray.length })}</span>
        {takes && <span className={classes.hint}>{t('trayDrop')}</span>}
        {!takes && tray.length === 0 && <span className={classes.empty}>{t('trayEmptyText')}</span>}
        {!takes && tray.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconWand />}
            aria-label={t('placeAll')}
            aria-keyshortcuts="Shift+M"
            title={`${t('placeAll')} (${keyText('Shift+M')})`}
            disabled={!controller.placeAll}
            onClick={controller.placeAll ?? undefined}
          >
            <span className={classes.placeText}>{t('placeAll')}</span>
          </Button>
        )}
        {tray.length > 0 && (
          <ToolButton label={open ? t('hideTray') : t('showTray')} onClick={() => setTrayOpen(!open)}>
            {open ? <IconChevronDown /> : <IconChevronUp />}
          </ToolButton>
        )}
      </div>
      {open && tray.length > 0 && (
        <div
          ref={setStrip}
          className={classes.strip}
          role="listbox"
          aria-label={t('trayImages')}
          aria-orientation="horizontal"
          data-strip
          data-tray
          onFocus={() => {
            focusZone.current = 'tray';
          }}
        >
          {tray.map((image, index) => (
            <TrayImage
              key={image.uid}
              image={image}
              number={index + 1}
              selected={image.uid === trayImage}
              reachable={image.uid === reachable}
              cut={controller.isCut(image.uid)}
              element={(next) => {
                if (next) images.current.set(image.uid, next);
                else images.current.delete(image.uid);
              }}
              onChoose={() => controller.chooseTray(image.uid)}
              onOpen={() => onOpen(image.uid)}
              onDragStart={(pointer) => drag.start({ image, from: null }, pointer)}
            />
          ))}
        </div>
      )}
    </section>
  );
};
