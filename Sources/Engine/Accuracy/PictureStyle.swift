/// The style sheet of a picture. It is drawn on a card of its own, so that it fits light and dark pages.
///
/// Orange is the music, dark ink the follower, blue its probabilities. They also differ in lightness, for people who
/// do not see red or green.
enum PictureStyle {
    static let sheet = """
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#242a33}
        .title{font-size:21px;font-weight:650}.sub{font-size:13px;fill:#5f6773}
        .fact{font-size:19px;font-weight:650}.small{font-size:11.5px;fill:#5f6773}
        .panel{font-size:13px;font-weight:600}.tick{font-size:11.5px;fill:#5f6773;font-variant-numeric:tabular-nums}
        .note{font-size:11.5px;font-weight:600;fill:#6d5bd0}.state{font-size:11px;font-weight:600}
        .card{fill:#fdfcfa;stroke:#e4e0d8}.field{fill:#f6f4ef}
        .grid{stroke:#e2ded5;stroke-width:1;fill:none}.zero{stroke:#a8a59d;stroke-width:1;fill:none}
        .truth,.truthkey{stroke:#f0a93f;fill:none;stroke-linejoin:round;stroke-linecap:round}
        .truth{stroke-width:70}.truthkey{stroke-width:7}.slim{stroke-width:46;stroke-dasharray:70 50;stroke-linecap:butt}
        .dash{stroke-width:4.6;stroke-dasharray:7 5;stroke-linecap:butt}
        .thin{stroke:#e0993a;stroke-width:20;fill:none;stroke-linejoin:round}
        .shown,.shownkey{stroke:#16264d;fill:none;stroke-linejoin:round;stroke-linecap:round}
        .shown{stroke-width:17}.shownkey{stroke-width:2}
        .leap{stroke:#16264d;stroke-width:14;stroke-dasharray:20 30;fill:none}.head{fill:#16264d}
        .miss,.misskey{stroke:#c42f1d;fill:none;stroke-linecap:round}.miss{stroke-width:20}.misskey{stroke-width:2}
        .area{fill:#2f5ea8;fill-opacity:.22}.good{fill:#2c9c9c;fill-opacity:.15}
        .hold{fill:#242a33;fill-opacity:.08}.disruption{fill:#6d5bd0;fill-opacity:.1}
        .edge{stroke:#6d5bd0;stroke-width:1.2;stroke-dasharray:4 3;fill:none}
        .waiting{fill:#c2c8d0}.following{fill:#d7ebe8}.coasting{fill:#f2cd5c}.lost{fill:#e0784a}
        .finished{fill:#b9a8dc}.veil{fill-opacity:.3}
        .heat{fill:none;stroke-width:1.08}
        .h0{stroke:#dbe6f4}.h1{stroke:#bbd1ec}.h2{stroke:#93b7e2}.h3{stroke:#6799d5}.h4{stroke:#3f7ac3}.h5{stroke:#205ba6}
        .swatch0{fill:#dbe6f4}.swatch1{fill:#bbd1ec}.swatch2{fill:#93b7e2}.swatch3{fill:#6799d5}
        .swatch4{fill:#3f7ac3}.swatch5{fill:#205ba6}
        @media(prefers-color-scheme:dark){
        text{fill:#eae7e1}.sub,.small,.tick{fill:#a3acb9}.note{fill:#b0a4ff}
        .card{fill:#14171c;stroke:#2b313a}.field{fill:#1b1f26}.grid{stroke:#2c323b}.zero{stroke:#5a626e}
        .truth,.truthkey{stroke:#c9821f}.thin{stroke:#d2973f}.shown,.shownkey{stroke:#f1f5ff}
        .leap{stroke:#f1f5ff}.head{fill:#f1f5ff}
        .miss,.misskey{stroke:#ff8a70}.area{fill:#7db1ff;fill-opacity:.28}.good{fill:#4cc3c3;fill-opacity:.13}
        .hold{fill:#fff;fill-opacity:.09}.disruption{fill:#9d90ff;fill-opacity:.14}.edge{stroke:#9d90ff}
        .waiting{fill:#4b5460}.following{fill:#24423f}.coasting{fill:#85681a}.lost{fill:#a34a20}
        .finished{fill:#56498a}
        .h0{stroke:#1f2b3f}.h1{stroke:#233c60}.h2{stroke:#285085}.h3{stroke:#306aae}.h4{stroke:#3f88d6}.h5{stroke:#67a9f5}
        .swatch0{fill:#1f2b3f}.swatch1{fill:#233c60}.swatch2{fill:#285085}.swatch3{fill:#306aae}
        .swatch4{fill:#3f88d6}.swatch5{fill:#67a9f5}}
        """
}
