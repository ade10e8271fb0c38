import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acquiredOf } from '../../../../contract/images.ts';
import type { SceneImage } from '../../../viewer/index.ts';
import type { ShownPictures } from '../print/print-subject.ts';
import { shownImagesOf } from '../viewer/scene-of-content.ts';
import classes from './blink.module.css';
import { alignmentOf, type BlinkPoints, nextSide, noPoints, type Side } from './blink-points.ts';
import { Blinking } from './blinking.tsx';
import { SetPoints } from './set-points.tsx';
import { useBlinkPictures } from './use-blink-pictures.ts';

interface BlinkDialogProps {
  readonly shown: ShownPictures;
  readonly onClose: () => void;
}

/** Lays two compared images over each other by four points that the user sets in both. */
export const BlinkDialog = ({ shown: shownNow, onClose }: BlinkDialogProps) => {
  // What was displayed when the dialog opened.
  const [shown] = useState(shownNow);
  const { t } = useTranslation(['blink', 'shell']);
  const [points, setPoints] = useState<BlinkPoints>(noPoints);
  const [isSetting, setSetting] = useState(true);
  const [left, right] = shown.scene.images;
  if (!left || !right) throw new Error('Blink needs two images');
  const pictures = useBlinkPictures(shown, left, right);
  const alignment =
    pictures && pictures !== 'failed' && nextSide(points) === null ? alignmentOf(points, pictures) : null;

  const labelOf = (side: Side, { id }: SceneImage): string => {
    const found = shownImagesOf(shown.content).find(({ image }) => image.uid === id);
    const day = found && acquiredOf(found.image)?.slice(0, 10);
    return [t(side), day].filter(Boolean).join(' · ');
  };
  const labels = { left: labelOf('left', left), right: labelOf('right', right) };
  const change = (changed: BlinkPoints) => {
    setPoints(changed);
    setSetting(nextSide(changed) !== null);
  };

  const content = () => {
    if (pictures === 'failed') return <p role="alert">{t('failed')}</p>;
    if (!pictures) return <p>{t('loading')}</p>;
    if (alignment && alignment !== 'too-close' && !isSetting)
      return (
        <Blinking pictures={pictures} alignment={alignment} labels={labels} onChangePoints={() => setSetting(true)} />
      );
    return (
      <SetPoints
        pictures={pictures}
        labels={labels}
        points={points}
        isTooClose={alignment === 'too-close'}
        onChange={change}
        onBlink={alignment && alignment !== 'too-close' ? () => setSetting(false) : null}
      />
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={t('title')}
      classNames={{ content: classes.dialog, body: classes.body }}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {content()}
    </Modal>
  );
};
