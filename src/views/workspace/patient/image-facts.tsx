import { Menu, UnstyledButton } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import { useTranslation } from 'react-i18next';
import { isExposed } from '../../../../contract/dose.ts';
import { acquiredOf, type ImageInfo } from '../../../../contract/images.ts';
import { toothNotations } from '../../../../contract/teeth.ts';
import { teethShown } from '../../../../contract/viewsets.ts';
import { Changes } from '../../edit/changes.tsx';
import { ModalityName } from '../../language/modality-name.tsx';
import { useToothNotation, useToothText } from '../../language/tooth-notation.ts';
import { fileSize } from '../../ui/file-size.ts';
import { ImageDoseFold } from '../dose/dose-folds.tsx';
import classes from './image-facts.module.css';
import { ImageMenu } from './record-menu.tsx';
import { ToothMap } from './tooth-map.tsx';

/** The tooth notation in use, and a menu to change it. */
const NotationMenu = () => {
  const { t } = useTranslation('edit');
  const [notation, choose] = useToothNotation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.notation} aria-label={`${t('notation')}: ${t(notation)}`}>
          {t(notation)}
          <IconChevronDown aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('notation')}</Menu.Label>
        {toothNotations.map((name) => (
          <Menu.Item
            key={name}
            rightSection={name === notation ? <IconCheck aria-hidden="true" /> : null}
            aria-current={name === notation || undefined}
            onClick={() => choose(name)}
          >
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** Teeth of an image in a chart, facing the patient: the patient's right is on the left. */
const ToothChart = ({ teeth }: { teeth: readonly number[] }) => {
  const { t } = useTranslation('patient');
  const toothText = useToothText();
  if (teeth.length === 0) return <p className={classes.none}>{t('noTeeth')}</p>;
  return (
    <div>
      <div className={classes.teeth}>
        <p className={classes.numbers}>{toothText(teeth)}</p>
        <NotationMenu />
      </div>
      <ToothMap teeth={teeth} />
    </div>
  );
};

/** Formats a moment as `YYYY-MM-DD hh:mm:ss`; a date stays a date. */
const momentText = (moment: string) => moment.slice(0, 19).replace('T', ' ');

interface ImageFactsProps {
  readonly image: ImageInfo;
  /** Teeth of its slot; empty when not mounted. */
  readonly slotTeeth: readonly number[];
}

/** Facts of the active image. */
export const ImageFacts = ({ image, slotTeeth }: ImageFactsProps) => {
  const { t, i18n } = useTranslation('patient');
  const acquired = acquiredOf(image);
  const documentSource = image.isVideo ? t('sourceVideo') : t('sourcePdf');
  const fileSource = image.kind === 'document' ? documentSource : t('sourcePicture');
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [t('modality'), <ModalityName key="modality" code={image.seriesModalityValue} />],
    [t('acquired'), acquired && momentText(acquired)],
    [t('laterality'), image.laterality && t(image.laterality)],
    [t('size'), (image.kind === 'image' || image.isVideo) && `${image.width} × ${image.height}`],
    [t('frames'), image.frames > 1 && image.frames],
    [t('compression'), t(image.imageCompression)],
    [t('fileSize'), fileSize(image.imageFileSize, i18n.language)],
    [t('source'), image.source === 'dicom' ? t('sourceDicom') : fileSource],
    [t('fileName'), image.imageFileName],
    [t('comment'), image.imageComment],
  ];
  return (
    <>
      <section className={classes.part}>
        <div className={classes.top}>
          <h2 className={classes.heading}>{t('teeth')}</h2>
          <ImageMenu image={image} slotTeeth={slotTeeth} />
        </div>
        <ToothChart teeth={teethShown({ teeth: [...slotTeeth], activeImage: image })} />
        {image.teethSource === 'user' && <p className={classes.dimmed}>{t('teethOfUser')}</p>}
      </section>
      <section className={classes.part}>
        <dl className={classes.facts}>
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {image.kind === 'image' && isExposed(image.seriesModalityValue) && <ImageDoseFold id={image.uid} />}
        <Changes key={image.uid} subject="image" id={image.uid} />
      </section>
    </>
  );
};
