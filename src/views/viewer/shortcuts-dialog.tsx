import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KeyCaps } from '../parts/key-caps.tsx';
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
                    <KeyCaps keys={keys} textOf={keyText} />
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
