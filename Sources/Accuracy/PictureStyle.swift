/// Colours and lettering of a picture: ink on a card of its own, so that it can lie on light and dark pages.
enum PictureStyle {
    static let sheet = """
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#242a33}
        .title{font-size:21px;font-weight:650}.sub{font-size:13px;fill:#6a7280}
        .fact{font-size:19px;font-weight:650}.small{font-size:11.5px;fill:#6a7280}
        .panel{font-size:13px;font-weight:600}.tick{font-size:11.5px;fill:#6a7280;font-variant-numeric:tabular-nums}
        .note{font-size:11.5px;font-weight:600;fill:#6d5bd0}
        .card{fill:#fdfcfa;stroke:#e4e0d8}.field{fill:#f6f4ef}
        .grid{stroke:#e2ded5;stroke-width:1;fill:none}.zero{stroke:#a8a59d;stroke-width:1;fill:none}
        .truth,.truthkey{stroke:#f0b35a;fill:none;stroke-linejoin:round;stroke-linecap:round}
        .truth{stroke-width:70}.truthkey{stroke-width:7}
        .thin{stroke:#e0993a;stroke-width:20;fill:none;stroke-linejoin:round}
        .shown,.shownkey{stroke:#1f5fc4;fill:none;stroke-linejoin:round;stroke-linecap:round}
        .shown{stroke-width:19}.shownkey{stroke-width:2}
        .miss,.misskey{stroke:#d2323c;fill:none;stroke-linecap:round}.miss{stroke-width:20}.misskey{stroke-width:2}
        .area{fill:#1f5fc4;fill-opacity:.2}.good{fill:#3fa66b;fill-opacity:.16}
        .hold{fill:#242a33;fill-opacity:.09}.disruption{fill:#6d5bd0;fill-opacity:.11}
        .edge{stroke:#6d5bd0;stroke-width:1.2;stroke-dasharray:4 3;fill:none}
        .waiting{fill:#b9c0ca}.following{fill:#9ad3ae}.coasting{fill:#f4cf6c}.lost{fill:#ee9a96}
        .finished{fill:#bfb0e6}.heat{fill:#7a1fa8;fill-opacity:.3}
        @media(prefers-color-scheme:dark){
        text{fill:#eae7e1}.sub,.small,.tick{fill:#9aa3b0}.note{fill:#b0a4ff}
        .card{fill:#14171c;stroke:#2b313a}.field{fill:#1b1f26}.grid{stroke:#2c323b}.zero{stroke:#5a626e}
        .truth,.truthkey{stroke:#b27a26}.thin{stroke:#d2973f}.shown,.shownkey{stroke:#7db1ff}
        .miss,.misskey{stroke:#ff7a7a}.area{fill:#7db1ff;fill-opacity:.28}.good{fill:#4cc380;fill-opacity:.14}
        .hold{fill:#fff;fill-opacity:.1}.disruption{fill:#9d90ff;fill-opacity:.15}.edge{stroke:#9d90ff}
        .waiting{fill:#4b5460}.following{fill:#2f6b48}.coasting{fill:#8a6a17}.lost{fill:#8f3b3b}
        .finished{fill:#56498a}.heat{fill:#e08cff}}
        """
}
