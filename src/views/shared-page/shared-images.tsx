import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedContent } from '../../../contract/shared-links.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { LanguageRow } from '../language/language-row.tsx';
import { setLanguage } from '../language/translation.ts';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-heading.tsx';
import { ProductMark } from '../ui/product-mark.tsx';
import { DownloadImages } from './download-images.tsx';
import type { SharedAccess } from './shared-access.ts';
import { SharedList } from './shared-list.tsx';
import classes from './shared-page.module.css';
import { SharedViewer } from './shared-viewer.tsx';

/** Who sends the images to whom and what for, as the sender stated it. */
const SharedFacts = ({ content }: { readonly content: SharedContent }) => {
  const { t } = useTranslation('shared');
  const { clinic, recipient, purpose, question, patient } = content;
  const facts = [
    [t('from'), clinic],
    [t('to'), recipient],
    [t('patient'), patient && `${patient.name}, ${patient.personalNumber}`],
    [t('purpose'), purpose],
    [t('question'), question],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
};

interface SharedImagesProps {
  readonly content: SharedContent;
  readonly access: SharedAccess;
  /** The visit or the link has ended. */
  readonly onInvalid: () => void;
  readonly onLeave: () => void;
}

/** Keys of the previous and next image; in the image itself the arrows move it. */
const steps: Readonly<Record<string, -1 | 1>> = { ',': -1, '.': 1, ArrowLeft: -1, ArrowRight: 1 };

const useStepKeys = (step: (by: -1 | 1) => void): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith('Arrow') && event.target instanceof HTMLCanvasElement) return;
    step(by);
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
};

/** The images of an opened link: who sends them, a viewer, the list and the download. */
export const SharedImages = ({ content, access, onInvalid, onLeave }: SharedImagesProps) => {
  const { t, i18n } = useTranslation(['shared', 'sign-in']);
  const momentText = useMomentText();
  const images = content.images.filter(({ kind }) => kind === 'image');
  const [index, setIndex] = useState(0);
  const viewer = useRef<HTMLDivElement>(null);
  const image = images[index];
  const step = (by: -1 | 1) => setIndex(Math.min(images.length - 1, Math.max(0, index + by)));
  useStepKeys(step);
  return (
    <div className={classes.page}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={classes.header}>
        <ProductMark size={28} />
        <div className={classes.heading}>
          <h1 className={classes.title}>{t('title')}</h1>
          <p className={classes.until}>
            {t('until')} <time dateTime={content.expiresAt}>{momentText(content.expiresAt)}</time>
          </p>
        </div>
        <Button variant="default" onClick={onLeave}>
          {t('leave')}
        </Button>
      </header>
      <main className={classes.main}>
        <div className={classes.viewer} ref={viewer}>
          {image ? (
            <SharedViewer
              image={image}
              place={t('place', { number: index + 1, count: images.length })}
              openImages={access.openImages}
              onInvalid={onInvalid}
              onPrevious={index > 0 ? () => step(-1) : null}
              onNext={index < images.length - 1 ? () => step(1) : null}
            />
          ) : (
            content.images.length === 0 && <Notice title={t('none')} />
          )}
        </div>
        <div className={classes.side}>
          <SharedFacts content={content} />
          {content.images.length > 0 && (
            <DownloadImages isAnonymised={content.patient === null} download={access.download} onInvalid={onInvalid} />
          )}
          <SharedList
            images={content.images}
            chosen={image?.uid ?? null}
            thumbnail={access.thumbnail}
            onChoose={(uid) => {
              setIndex(images.findIndex((one) => one.uid === uid));
              viewer.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
          <LanguageRow label={t('sign-in:language')} onChoose={(language) => void setLanguage(i18n, language)} />
        </div>
      </main>
    </div>
  );
};
