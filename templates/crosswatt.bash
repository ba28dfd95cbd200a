# bash completion for crosswatt. Made by `crosswatt docs` from the program's tables.
_crosswatt()
{
    local cur prev command options
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD - 1]}
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "{{#commands}}{{name}} {{/commands}}--help --version" -- "$cur"))
        return
    fi
    command=${COMP_WORDS[1]}
    if [ "$prev" = --set ]; then
        COMPREPLY=($(compgen -S = -W "{{#sections}}{{#keys}}{{path}} {{/keys}}{{/sections}}" -- "$cur"))
        compopt -o nospace 2>/dev/null
        return
    fi
    options="{{#common}}--{{option}} {{/common}}"
    case $command in
{{#commands}}
        {{name}}) options="$options{{#options}} --{{option}}{{/options}}" ;;
{{/commands}}
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [ "$command" = keys ]; then
        COMPREPLY=($(compgen -W "{{#sections}}{{section}} {{/sections}}" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _crosswatt crosswatt
