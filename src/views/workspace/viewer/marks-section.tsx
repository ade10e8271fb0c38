import { ActionIcon, Button } from '@mantine/core';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import {
  type KnownCalibration,
  type LoadedImage,
  type Mark,
  markText,
  measured,
  measurementScaleOf,
} from '../../../viewer/index.ts';
import { useWorkspace } from '../workspace-context.ts';
import classes from './panel.module.css';
import { ProfileChart } from './profile-chart.tsx';
import { toolIcons } from './tool-icons.tsx';
import { useStageLabels } from './viewer-texts.ts';

export interface MarksSectionProps {
  readonly imageUid: string;
  readonly image: LoadedImage;
  readonly marks: readonly Mark[];
  /** Author and time of marks by id. */
  readonly authorTexts: Readonly<Record<string, string>>;
  /** Marks that this version cannot draw. */
  readonly unknownMarks: number;
  readonly calibration: KnownCalibration;
}

/** The marks of the image and the accuracy of its lengths. */
export const MarksSection = (props: MarksSectionProps) => {
  const { imageUid, image, marks, authorTexts, unknownMarks, calibration } = props;
  const { viewer } = useWorkspace();
  const { t, i18n } = useTranslation('viewer');
  const words = useStageLabels();
  const { spacingSource } = measurementScaleOf(image, calibration);
  const isCalibrated = calibration !== null && calibration !== 'unknown';
  const many = image.description.numberOfFrames > 1;
  return (
    <>
      <p className={classes.dimmed}>{t(`scale-${spacingSource === 'outside' ? 'region' : spacingSource}`)}</p>
      {marks.length > 0 && (
        <ul className={classes.marks} aria-label={t('group-marks')}>
          {marks.map((mark) => {
            const yardstick = measurementScaleOf({ ...image, frame: mark.frame }, calibration, mark.points);
            const name = words.kinds[mark.kind];
            const text = markText(mark, yardstick, words, i18n.language) || name;
            const value = measured(mark, yardstick);
            const label = t(value ? 'deleteMeasurement' : 'deleteMark', { value: text });
            const author = authorTexts[mark.id];
            return (
              <li key={mark.id} className={classes.mark}>
                <span role="img" aria-label={name} title={name} className={classes.markIcon}>
                  {toolIcons[mark.kind]}
                </span>
                <span>
                  {text}
                  {many && <small>{t('frame', { frame: mark.frame, frames: image.description.numberOfFrames })}</small>}
                  {author && <small>{author}</small>}
                  {mark.kind === 'profile' && mark.frame === image.frame && (
                    <ProfileChart image={image} points={mark.points} />
                  )}
                </span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={label}
                  title={label}
                  onClick={() =>
                    viewer.send({ type: 'marks.settled', imageUid, marks: marks.filter(({ id }) => id !== mark.id) })
                  }
                >
                  <IconTrash />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
      {unknownMarks > 0 && <p className={classes.dimmed}>{t('unknownMarks', { count: unknownMarks })}</p>}
      {marks.length === 0 && <p className={classes.dimmed}>{t('noMarks')}</p>}
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={() => viewer.send({ type: 'tool.chosen', tool: 'calibrate' })}>
          {t(isCalibrated ? 'calibrateAgain' : 'calibrateByLength')}
        </Button>
        {isCalibrated && (
          <Button
            size="xs"
            variant="default"
            onClick={() => viewer.send({ type: 'image.calibrated', imageUid, calibration: null })}
          >
            {t('removeCalibration')}
          </Button>
        )}
      </div>
    </>
  );
};
