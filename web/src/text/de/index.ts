/** Every text of the page in German. */
import type { Catalogue } from "..";
import { account } from "./account";
import { analysis } from "./analysis";
import { announcements } from "./announcements";
import { archive } from "./archive";
import { board } from "./board";
import { calls } from "./calls";
import { challenge } from "./challenge";
import { closes, codes } from "./codes";
import { fen } from "./fen";
import { game } from "./game";
import { control, home } from "./home";
import { lobby } from "./lobby";
import { people } from "./people";
import { letters, roles, sides } from "./pieces";
import { chat, proof, rematch } from "./play";
import { replay } from "./replay";
import { profiles, reasons } from "./rules";
import { result } from "./result";
import { settings } from "./settings";
import { link, site } from "./site";
import { typed } from "./typed";

export const catalogue: Catalogue = {
  tag: "de",
  sides,
  roles,
  letters,
  reasons,
  profiles,
  codes,
  closes,
  site,
  link,
  home,
  lobby,
  account,
  people,
  replay,
  challenge,
  control,
  board,
  game,
  result,
  analysis,
  fen,
  archive,
  settings,
  calls,
  play: { chat, rematch, proof },
  typed,
  announcements,
};
