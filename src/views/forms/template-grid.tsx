import IconLayoutOff from '@tabler/icons-react/dist/esm/icons/IconLayoutOff.mjs';
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
  /** The words of a first card that stands for none of them; without it there is no such card. */
  readonly none?: { readonly name: string; readonly says: string };
  /** A card by click or arrow; null: none of them. */
  readonly onChoose: (template: Template | null) => void;
  /** A click on it. */
  readonly onPress?: (template: Template | null) => void;
  /** Enter, or a double click: this one, at once. */
  readonly onTake: (template: Template | null) => void;
  readonly onFavor: (template: Template, isFavorite: boolean) => void;
}

const arrows: readonly string[] = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

/** Templates as drawn cards; one of them is chosen. */
export const TemplateGrid = (props: TemplateGridProps) => {
  const { t } = useTranslation('edit');
  const grid = useRef<HTMLDivElement>(null);
  const { templates, chosen, none, onChoose, onPress, onTake, onFavor } = props;
  const cards = [...(none ? [null] : []), ...templates];
  const isChosen = (card: Template | null) => (card?.uuid ?? null) === chosen;
  const reached = cards.find(isChosen) ?? cards[0];
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onTake(cards[index] ?? null);
    }
    if (!arrows.includes(event.key)) return;
    event.preventDefault();
    const faces = [...(grid.current?.querySelectorAll<HTMLElement>('[role=radio]') ?? [])];
    const next = cardTowards(
      faces.map((face) => face.getBoundingClientRect()),
      index,
      event.key,
    );
    faces[next]?.focus();
    const card = cards[next];
    if (card !== undefined) onChoose(card);
  };
  return (
    <div ref={grid} role="radiogroup" aria-label={t('templates')} className={classes.grid}>
      {cards.map((card, index) => (
        <div key={card?.uuid ?? 'none'} className={classes.cell}>
          {/* biome-ignore lint/a11y/useSemanticElements: a card with a drawing in it is no input */}
          <button
            type="button"
            role="radio"
            aria-checked={isChosen(card)}
            tabIndex={card === reached ? 0 : -1}
            className={classes.card}
            data-none={card === null || undefined}
            onClick={() => {
              onChoose(card);
              onPress?.(card);
            }}
            onDoubleClick={() => onTake(card)}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <span className={classes.picture}>
              {card ? (
                <TemplateDrawing width={card.width} height={card.height} slots={card.viewSetItems} />
              ) : (
                <IconLayoutOff />
              )}
            </span>
            <span className={classes.cardName}>{card?.name ?? none?.name}</span>
            <span className={classes.cardSlots}>
              {card ? t('slots', { count: card.viewSetItems.length }) : none?.says}
            </span>
          </button>
          {card && (
            <button
              type="button"
              className={classes.star}
              aria-label={t(card.isFavorite ? 'unfavor' : 'favor', { name: card.name })}
              aria-pressed={card.isFavorite}
              tabIndex={card === reached ? 0 : -1}
              onClick={() => onFavor(card, !card.isFavorite)}
            >
              {card.isFavorite ? <IconStarFilled /> : <IconStar />}
            </button>
          )}
        </div>
      ))}
    </div>
  );
};
