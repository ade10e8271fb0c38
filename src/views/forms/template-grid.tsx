import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs';
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Template } from '../../../contract/viewsets.ts';
import { cardTowards } from '../parts/card-towards.ts';
import { TemplateDrawing } from '../parts/template-drawing.tsx';
import classes from './template-grid.module.css';

interface TemplateGridProps {
  readonly templates: readonly Template[];
  readonly chosen: string | null;
  readonly onChoose: (template: Template) => void;
  /** Enter, or a double click: this one, at once. */
  readonly onTake: () => void;
  readonly onFavor: (template: Template, isFavorite: boolean) => void;
}

const arrows: readonly string[] = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

/** Templates as drawn cards; one of them is chosen. */
export const TemplateGrid = ({ templates, chosen, onChoose, onTake, onFavor }: TemplateGridProps) => {
  const { t } = useTranslation('edit');
  const grid = useRef<HTMLDivElement>(null);
  const reached = templates.some(({ uuid }) => uuid === chosen) ? chosen : templates[0]?.uuid;
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onTake();
    }
    if (!arrows.includes(event.key)) return;
    event.preventDefault();
    const cards = [...(grid.current?.querySelectorAll<HTMLElement>('[role=radio]') ?? [])];
    const next = cardTowards(
      cards.map((card) => card.getBoundingClientRect()),
      index,
      event.key,
    );
    cards[next]?.focus();
    const template = templates[next];
    if (template) onChoose(template);
  };
  return (
    <div ref={grid} role="radiogroup" aria-label={t('templates')} className={classes.grid}>
      {templates.map((template, index) => (
        <div key={template.uuid} className={classes.cell}>
          {/* biome-ignore lint/a11y/useSemanticElements: a card with a drawing in it is no input */}
          <button
            type="button"
            role="radio"
            aria-checked={template.uuid === chosen}
            tabIndex={template.uuid === reached ? 0 : -1}
            className={classes.card}
            onClick={() => onChoose(template)}
            onDoubleClick={onTake}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <span className={classes.picture}>
              <TemplateDrawing width={template.width} height={template.height} slots={template.viewSetItems} />
            </span>
            <span className={classes.cardName}>{template.name}</span>
            <span className={classes.cardSlots}>{t('slots', { count: template.viewSetItems.length })}</span>
          </button>
          <button
            type="button"
            className={classes.star}
            aria-label={t(template.isFavorite ? 'unfavor' : 'favor', { name: template.name })}
            aria-pressed={template.isFavorite}
            tabIndex={template.uuid === reached ? 0 : -1}
            onClick={() => onFavor(template, !template.isFavorite)}
          >
            {template.isFavorite ? <IconStarFilled /> : <IconStar />}
          </button>
        </div>
      ))}
    </div>
  );
};
