// The words, sign, colour and pattern of each mode; one table for the badge and the graphs.

const modes = {
  following: { word: "Following", spoken: "The follower follows.", colour: "#4cc79a", sign: "following" },
  coasting: { word: "Coasting", spoken: "Coasting: the place is carried on by tempo.", colour: "#f0b941",
    sign: "coasting" },
  lost: { word: "Lost", spoken: "The follower is lost. The last place stays.", colour: "#ff7a66", sign: "lost" },
  waiting: { word: "Waiting", spoken: "Waiting for the music.", colour: "#9aa7b4", sign: "waiting" },
  finished: { word: "Finished", spoken: "The piece is finished.", colour: "#9aa7b4", sign: "finished" },
  held: { word: "Held", spoken: "The place is held.", colour: "#c3a6ff", sign: "held" },
  resting: { word: "Waiting for sound", spoken: "No music is heard. The place stays and goes on with the sound.",
    colour: "#9aa7b4", sign: "waiting" },
  manual: { word: "By hand", spoken: "The place is set by hand.", colour: "#74b6ff", sign: "manual" },
};

export const modeOf = (name) => modes[name] ?? { word: name ?? "–", spoken: "", colour: "#9aa7b4", sign: "waiting" };
