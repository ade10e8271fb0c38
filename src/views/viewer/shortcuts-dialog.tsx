import { Modal } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeyText } from './key-text.ts';
import { roomShortcuts, type ShortcutGroup } from './shortcuts.ts';
import classes from './shortcuts-dialog.module.css';

interface ShortcutsDialogProps {
  readonly extra: readonly ShortcutGroup[];
  readonly onClose: () => void;
}

/** All keys, by purpose. */
export const ShortcutsDialog = ({ extra, onClose }: ShortcutsDialogProps) => {
  const { t } = useTranslation('viewer');
  const keyText = useKeyText();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('tool-shortcuts')}
      size={1160}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={classes.groups}>
        {[...extra, ...roomShortcuts(t)].map(({ title, shortcuts }) => (
          <section key={title} className={classes.group}>
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, text }) => (
                <div key={text}>
                  <dt>{text}</dt>
                  <dd>
                    {keys.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 && ' '}
                        <kbd>{keyText(key)}</kbd>
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
};
